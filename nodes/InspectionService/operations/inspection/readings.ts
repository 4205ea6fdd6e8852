import { deepCopy, type IExecuteFunctions } from 'n8n-workflow';

import type { InspectionRecord } from '../../domain/list/inspectionPage';
import { MemoryBudget } from '../../domain/memoryBudget';
import { ExecutionOutput, type ItemOutput } from '../../output/inspectionOutput';
import type { OutputChoice } from '../../output/outputChoice';
import type { ItemService } from '../../transport/itemServices';
import { type Hint, outputHints } from '../hints';

const READINGS_TOO_LARGE =
	'These inspections take more memory than n8n can spare (1 GB). Read fewer at once: set a Limit or filters such as Created After, choose the output Simplified, which leaves the answers out, or use Loop Over Items';

export type Readings = ReturnType<typeof sharedReadings>;

/** The readings of one run of the node: items with the same credential and parameters share one. */
export function sharedReadings(context: IExecuteFunctions) {
	const problems: string[] = [];
	const execution = new ExecutionOutput();
	const shared = new Map<string, Promise<() => ItemOutput[]>>();
	let repeated = 0;
	const report = (problem: string) => void problems.push(problem);
	return {
		/** For the inspections of all readings. */
		budget: new MemoryBudget(READINGS_TOO_LARGE),
		/** Takes a sentence on what is missing from the items. */
		report,
		/** Later items with the same parameters get copies, because the next node may change its items. */
		async get(
			{ credential, client, templates }: ItemService,
			choice: OutputChoice,
			parameters: unknown,
			read: () => Promise<InspectionRecord[]>,
		): Promise<() => ItemOutput[]> {
			const key = JSON.stringify([credential, choice, parameters]);
			const known = shared.get(key);
			if (known === undefined) {
				const output = { context, service: client, templates, report };
				const making = read().then(async (inspections) => {
					const make = await execution.add(inspections, choice, output);
					return () => make().flat();
				});
				shared.set(key, making);
				return await making;
			}
			repeated += 1;
			const make = await known;
			return () => make().map((item) => ({ ...item, json: deepCopy(item.json) }));
		},
		/** What is missing from the items that came out, and what to do with them. */
		hints: () => outputHints([...problems, ...execution.problems()], [...execution.advice]),
		/** How many items have shared the reading of another one. */
		repeated: () => repeated,
	};
}

/** A hint where several items have shared a reading. */
export function repeatedHints(count: number): Hint[] {
	if (count === 0) return [];
	const items = count === 1 ? 'item asks' : 'items ask';
	const message = `${String(count)} ${items} for the same inspections as another item. They were read once, and come out for each of these items. To get them once, switch on Execute Once in the settings of this node.`;
	return [{ message, type: 'warning' }];
}
