import { deepCopy, type IExecuteFunctions } from 'n8n-workflow';

import type { InspectionRecord } from '../../domain/list/inspectionPage';
import { MemoryBudget } from '../../domain/memoryBudget';
import { ExecutionOutput, type ItemOutput } from '../../output/inspectionOutput';
import type { OutputChoice } from '../../output/outputChoice';
import type { ItemService } from '../../transport/itemServices';
import { Memory } from '../../transport/memory';
import { type Hint, outputHints } from '../hints';

const READINGS_TOO_LARGE =
	'These inspections take more memory than n8n can spare (1 GB). Read fewer at once: set a Limit or filters such as Created After, choose the output Simplified, which leaves the answers out, or use Loop Over Items';

type MakeItems = () => ItemOutput[];

/** The readings of one run of the node: items with the same credential and parameters share one. */
export class Readings {
	/** For the inspections of all readings. */
	readonly budget = new MemoryBudget(READINGS_TOO_LARGE);
	private readonly problems: string[] = [];
	private readonly execution = new ExecutionOutput();
	private readonly shared = new Memory<Promise<MakeItems>>();
	private readonly context: IExecuteFunctions;
	private repeated = 0;

	constructor(context: IExecuteFunctions) {
		this.context = context;
	}

	report(problems: readonly string[]): void {
		this.problems.push(...problems);
	}

	/** Later items with the same parameters get copies, because the next node may change its items. */
	async get(
		service: ItemService,
		parameters: { readonly choice: OutputChoice },
		read: () => Promise<InspectionRecord[]>,
	): Promise<MakeItems> {
		const key = JSON.stringify([service.credential, parameters]);
		const known = this.shared.get(key);
		if (known === undefined) {
			return await this.shared.keep(key, this.makerOf(service, parameters.choice, read));
		}
		this.repeated += 1;
		const make = await known;
		return () => make().map((item) => ({ ...item, json: deepCopy(item.json) }));
	}

	private async makerOf(
		{ client, templates }: ItemService,
		choice: OutputChoice,
		read: () => Promise<InspectionRecord[]>,
	): Promise<MakeItems> {
		const report = (problem: string) => this.report([problem]);
		const output = { context: this.context, service: client, templates, report };
		const make = await this.execution.add(await read(), choice, output);
		return () => make().flat();
	}

	/** What is missing from the items that came out, and what to do with them. */
	hints(others: readonly string[] = []): Hint[] {
		return outputHints([...this.problems, ...others], this.execution);
	}

	/** A hint where several items have shared a reading. */
	repeatedHints(): Hint[] {
		if (this.repeated === 0) return [];
		const items = this.repeated === 1 ? 'item asks' : 'items ask';
		const message = `${String(this.repeated)} ${items} for the same inspections as another item. They were read once, and come out for each of these items. To get them once, switch on Execute Once in the settings of this node.`;
		return [{ message, type: 'warning' }];
	}
}
