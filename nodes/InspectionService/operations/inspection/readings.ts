import { deepCopy, type IExecuteFunctions } from 'n8n-workflow';

import { type InspectionRecord, missingParts } from '../../domain/list/inspectionPage';
import { MemoryBudget } from '../../domain/memoryBudget';
import { templateKey } from '../../domain/template/templateOfInspection';
import { ExecutionOutput, type ItemOutput } from '../../output/inspectionOutput';
import { includesFor, type OutputChoice } from '../../output/outputChoice';
import type { ItemService } from '../../transport/itemServices';
import { type Hint, outputHints } from '../hints';

const READINGS_TOO_LARGE =
	'These inspections take more memory than n8n can spare (1 GB). Read fewer at once: set a Limit or filters such as Created After, choose the output Simplified, which leaves the answers out, or use Loop Over Items';

const DIFFERENT_COLUMNS =
	'These rows are of several templates, and their columns differ. For one sheet, filter by Template, choose the same Fields for all, or use the output Answers.';

export type Readings = ReturnType<typeof sharedReadings>;

/** The readings of one run of the node: items with the same credential and parameters share one. */
export function sharedReadings(context: IExecuteFunctions) {
	const execution = new ExecutionOutput();
	const shared = new Map<string, Promise<() => ItemOutput[]>>();
	const notes = new ReadingNotes();
	let repeated = 0;
	return {
		/** For the inspections of all readings. */
		budget: new MemoryBudget(READINGS_TOO_LARGE),
		notes,
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
				const output = { context, service: client, templates, report: notes.report };
				const making = read().then(async (inspections) => {
					notes.add(inspections, choice, credential);
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
		hints: () => notes.hints(execution),
		/** How many items have shared the reading of another one. */
		repeated: () => repeated,
	};
}

/** What is to be said of the inspections of all readings together: Get reads one for each item. */
class ReadingNotes {
	private readonly problems: string[] = [];
	/** For each service and output what none has come with. */
	private readonly missing = new Map<string, string[]>();
	/** The templates of rows that have all their columns, by credential: two services can share a GUID. */
	private readonly templatesOfRows = new Set<string>();

	add(some: readonly InspectionRecord[], choice: OutputChoice, credential: string): void {
		if (some.length === 0) return;
		const key = JSON.stringify([credential, choice]);
		const here = missingParts(some, includesFor(choice));
		const before = this.missing.get(key) ?? here;
		const both = before.filter((sentence) => here.includes(sentence));
		this.missing.set(key, both);
		if (choice.output !== 'row' || choice.fields.length > 0) return;
		for (const inspection of some) {
			this.templatesOfRows.add(`${credential} ${templateKey(inspection)}`);
		}
	}

	/** Takes a sentence on what is missing from the items. */
	readonly report = (problem: string): void => void this.problems.push(problem);
	/** Takes one on answers that may be missing: such rows are not to be written over others. */
	readonly reportMissing = (problem: string): void => void this.missing.set(problem, [problem]);

	hints(execution: ExecutionOutput): Hint[] {
		const missing = [...this.missing.values()].flat();
		const columns = this.templatesOfRows.size > 1 ? [DIFFERENT_COLUMNS] : [];
		const all = [...missing, ...this.problems, ...columns, ...execution.problems()];
		return outputHints(all, missing.length > 0 ? [] : [...execution.advice]);
	}
}

/** A hint where several items have shared a reading. */
export function repeatedHints(count: number): Hint[] {
	if (count === 0) return [];
	const items = count === 1 ? 'item asks' : 'items ask';
	const message = `${String(count)} ${items} for the same inspections as another item. They were read once, and come out for each of these items. To get them once, switch on Execute Once in the settings of this node.`;
	return [{ message, type: 'warning' }];
}
