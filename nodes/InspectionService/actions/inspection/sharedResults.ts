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
import type { Run } from '../action';
import type { ItemService } from '../itemServices';

const READINGS_TOO_LARGE =
	"These inspections take more memory than n8n can spare (1 GB). Read fewer at a time: set 'Limit' or filters such as 'Created After', set 'Output' to 'Simplified', or use a Loop Over Items node";

const DIFFERENT_COLUMNS =
	"These rows are from several templates, so their columns differ. For one sheet, use the filter 'Template', choose columns in the option 'Field Names or IDs', or set 'Output' to 'Answers'.";

/** The inspections that were read for an item. */
export interface SharedResult {
	readonly loaded: LoadedInspections;
	/** Whether an earlier item requested the same inspections. */
	readonly isRepeated: boolean;
}

/** The inspections read in one run of the node. Items with the same credential and parameters share them. */
export class SharedResults {
	/** The memory budget for the inspections of all items together. */
	readonly budget = new MemoryBudget(READINGS_TOO_LARGE);
	private readonly run: Run;
	private readonly shared = new Map<string, Promise<LoadedInspections>>();
	private readonly problems = new Notices();
	/** Sentences about parts that every inspection so far lacks, by service and output. */
	private readonly missingParts = new Map<string, string[]>();
	/** Sentences about answers that may be missing. */
	private readonly missingAnswers = new Set<string>();
	/**
	 * The templates of all inspections with the output Row, unless Fields limits the columns. Each is combined with its
	 * credential, because two services can have a template with the same ID.
	 */
	private readonly templatesOfRows = new Set<string>();
	/** Number of items that reused the inspections of an earlier item. */
	private repeated = 0;
	/** The report that was started last. Reports are built one after another, because each has its photos in memory. */
	private lastReport: Promise<unknown> = Promise.resolve();

	constructor(run: Run) {
		this.run = run;
	}

	/** Adds a sentence about something that is missing from the output. */
	report(problem: string): void {
		this.problems.add('missing', 'warning', problem);
	}

	/** Adds a sentence about answers that may be missing. Users must not overwrite rows of a sheet with such rows. */
	reportMissing(problem: string): void {
		this.missingAnswers.add(problem);
	}

	/** Calls `read` once for all items with the same parameters. Rethrows errors from `read` and `loadInspections`. */
	async get(
		service: ItemService,
		choice: OutputChoice,
		parameters: unknown,
		read: () => Promise<InspectionRecord[]>,
	): Promise<SharedResult> {
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

	/**
	 * Returns the output items of each input item. Repeated inspections are copied, because the next node may change
	 * its items.
	 */
	render(results: readonly SharedResult[]): ItemOutput[][] {
		const { notices } = this.run;
		const loaded = [...new Set(results.map((reading) => reading.loaded))];
		const missing = [...this.missingAnswers, ...[...this.missingParts.values()].flat()];
		for (const problem of missing) notices.add('missing', 'warning', problem);
		notices.addAll(this.problems);
		if (this.templatesOfRows.size > 1) notices.add('missing', 'warning', DIFFERENT_COLUMNS);
		const rendered = renderInspections(loaded, notices);
		const itemsOf = new Map(loaded.map((one, index) => [one, rendered[index]?.flat() ?? []]));
		if (missing.length === 0) notices.addEach(sheetAdvice(loaded));
		return results.map((reading) => {
			const items = itemsOf.get(reading.loaded) ?? [];
			if (!reading.isRepeated) return items;
			return items.map((item) => ({ ...item, json: deepCopy(item.json) }));
		});
	}

	/** Returns a hint if several items shared the same inspections. */
	repeatedHints(): Hint[] {
		const count = this.repeated;
		if (count === 0) return [];
		const items = count === 1 ? 'item requested' : 'items requested';
		const message = `${String(count)} ${items} the same inspections as another item. The inspections were read once and returned for each of these items. To return them only once, turn on 'Execute Once' in the settings of this node.`;
		return [{ message, type: 'warning' }];
	}

	private async load(
		{ credential, client, templates }: ItemService,
		choice: OutputChoice,
		read: () => Promise<InspectionRecord[]>,
	): Promise<LoadedInspections> {
		const { context } = this.run;
		const inspections = await read();
		this.recordMissing(inspections, choice, credential);
		const output = { context, service: client, templates, notices: this.problems };
		const load = async () => await loadInspections(inspections, choice, output);
		if (choice.output !== 'report') return await load();
		const loading = this.lastReport.then(load);
		this.lastReport = loading.catch(() => undefined);
		return await loading;
	}

	/**
	 * Records the parts that all inspections lack. Reports them once for all items, because Get reads one inspection
	 * per item.
	 */
	private recordMissing(
		some: readonly InspectionRecord[],
		choice: OutputChoice,
		credential: string,
	): void {
		if (some.length === 0) return;
		const key = JSON.stringify([credential, choice]);
		const here = missingParts(some, includesFor(choice));
		const before = this.missingParts.get(key) ?? here;
		const both = before.filter((sentence) => here.includes(sentence));
		this.missingParts.set(key, both);
		if (choice.output !== 'row' || choice.fields.length > 0) return;
		for (const inspection of some) {
			this.templatesOfRows.add(`${credential} ${templateKey(inspection)}`);
		}
	}
}
