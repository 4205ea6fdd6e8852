import { deepCopy } from 'n8n-workflow';

import { type InspectionRecord, missingParts } from '../../domain/list/inspectionPage';
import { MemoryBudget } from '../../domain/memoryBudget';
import { type Hint, Notices } from '../../domain/notices';
import { templateKey } from '../../domain/template/templateOfInspection';
import {
	type ItemOutput,
	type LoadedInspections,
	loadInspections,
	renderInspections,
	sheetAdvice,
} from '../../output/inspectionOutput';
import { includesFor, type OutputChoice } from '../../output/outputChoice';
import type { ItemService } from '../../transport/itemServices';
import type { Run } from '../operation';

const READINGS_TOO_LARGE =
	'These inspections take more memory than n8n can spare (1 GB). Read fewer at once: set a Limit or filters such as Created After, choose the output Simplified, which leaves the answers out, or use Loop Over Items';

const DIFFERENT_COLUMNS =
	'These rows are of several templates, and their columns differ. For one sheet, filter by Template, choose the same Fields for all, or use the output Answers.';

/** What an item has read. */
export interface Reading {
	readonly loaded: LoadedInspections;
	/** Whether an item before has asked for the same. */
	readonly isRepeated: boolean;
}

/** The readings of one run of the node: items with the same credential and parameters share one. */
export class Readings {
	/** For the inspections of all readings. */
	readonly budget = new MemoryBudget(READINGS_TOO_LARGE);
	private readonly run: Run;
	private readonly shared = new Map<string, Promise<LoadedInspections>>();
	private readonly problems = new Notices();
	/** For each service and output what none has come with. */
	private readonly missing = new Map<string, string[]>();
	/** The templates of rows that have all their columns, by credential: two services can share a GUID. */
	private readonly templatesOfRows = new Set<string>();
	/** How many items have shared the reading of another one. */
	private repeated = 0;

	constructor(run: Run) {
		this.run = run;
	}

	/** Takes a sentence on what is missing from the items. */
	report(problem: string): void {
		this.problems.add('missing', 'warning', problem);
	}

	/** Takes one on answers that may be missing: such rows are not to be written over others. */
	reportMissing(problem: string): void {
		this.missing.set(problem, [problem]);
	}

	/** Calls `read` for the first of the items with the same parameters. Throws what it throws, and InputError. */
	async get(
		service: ItemService,
		choice: OutputChoice,
		parameters: unknown,
		read: () => Promise<InspectionRecord[]>,
	): Promise<Reading> {
		const key = JSON.stringify([service.credential, choice, parameters]);
		const known = this.shared.get(key);
		if (known !== undefined) {
			this.repeated += 1;
			return { loaded: await known, isRepeated: true };
		}
		const loading = this.load(service, choice, read);
		this.shared.set(key, loading);
		return { loaded: await loading, isRepeated: false };
	}

	/** The items of each reading. A repeated one gets copies, because the next node may change its items. */
	render(readings: readonly Reading[]): ItemOutput[][] {
		const { notices } = this.run;
		const loaded = [...new Set(readings.map((reading) => reading.loaded))];
		const missing = [...this.missing.values()].flat();
		for (const problem of missing) notices.add('missing', 'warning', problem);
		notices.addAll(this.problems);
		if (this.templatesOfRows.size > 1) notices.add('missing', 'warning', DIFFERENT_COLUMNS);
		const rendered = renderInspections(loaded, notices);
		const itemsOf = new Map(loaded.map((one, index) => [one, rendered[index]?.flat() ?? []]));
		if (missing.length === 0) notices.addEach(sheetAdvice(loaded));
		return readings.map((reading) => {
			const items = itemsOf.get(reading.loaded) ?? [];
			if (!reading.isRepeated) return items;
			return items.map((item) => ({ ...item, json: deepCopy(item.json) }));
		});
	}

	/** A hint where several items have shared a reading. */
	repeatedHints(): Hint[] {
		const count = this.repeated;
		if (count === 0) return [];
		const items = count === 1 ? 'item asks' : 'items ask';
		const message = `${String(count)} ${items} for the same inspections as another item. They were read once, and come out for each of these items. To get them once, switch on Execute Once in the settings of this node.`;
		return [{ message, type: 'warning' }];
	}

	private async load(
		{ credential, client, templates }: ItemService,
		choice: OutputChoice,
		read: () => Promise<InspectionRecord[]>,
	): Promise<LoadedInspections> {
		const { context } = this.run;
		const inspections = await read();
		this.note(inspections, choice, credential);
		const output = { context, service: client, templates, notices: this.problems };
		return await loadInspections(inspections, choice, output);
	}

	/** Get reads one inspection for each item: what is missing is told of all of them together. */
	private note(some: readonly InspectionRecord[], choice: OutputChoice, credential: string): void {
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
}
