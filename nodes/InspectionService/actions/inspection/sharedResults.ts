import { deepCopy } from 'n8n-workflow';

import { type InspectionRecord, missingParts } from '../../domain/list/inspectionPage';
import { MemoryBudget } from '../../domain/memoryBudget';
import type { Hint } from '../../domain/notices';
import { templateKey } from '../../domain/template/templateOfInspection';
import {
	groupByService,
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

const OTHER_ANSWERS = `With the filter 'Questions (Control IDs)', the service might leave out all other answers. Empty cells in these rows might have a value in the service, so don't overwrite existing data with these rows.`;

/** The inspections read in one run of the node. Items with the same credential and parameters share them. */
export class SharedResults {
	/** The memory budget for the inspections of all items together. */
	readonly budget = new MemoryBudget(READINGS_TOO_LARGE);
	private readonly run: Run;
	private readonly shared = new Map<string, Promise<LoadedInspections>>();
	/** The report that was started last. Reports are built one after another, because each has its photos in memory. */
	private lastReport: Promise<unknown> = Promise.resolve();

	constructor(run: Run) {
		this.run = run;
	}

	/** Adds a sentence about something that is missing from the output. */
	report(problem: string): void {
		this.run.notices.add('missing', 'warning', problem);
	}

	/** Calls `read` once for all items with the same parameters. Rethrows errors from `read` and `loadInspections`. */
	async get(
		{ credential, client: service, templates }: ItemService,
		choice: OutputChoice,
		parameters: unknown,
		read: () => Promise<InspectionRecord[]>,
	): Promise<LoadedInspections> {
		const key = JSON.stringify([credential, choice, parameters]);
		const readAndLoad = async () => {
			const inspections = await read();
			const output = { ...this.run, service, templates };
			const load = async () => await loadInspections(inspections, choice, output);
			if (choice.output !== 'report') return await load();
			const loading = this.lastReport.then(load);
			this.lastReport = loading.catch(() => undefined);
			return await loading;
		};
		const result = this.shared.get(key) ?? readAndLoad();
		this.shared.set(key, result);
		return await result;
	}

	/**
	 * Returns the output items of each input item. Repeated inspections are copied, because the next node may change
	 * its items.
	 */
	render(results: readonly LoadedInspections[]): ItemOutput[][] {
		const { notices } = this.run;
		const loaded = [...new Set(results)];
		const missing = missingAnswers(loaded);
		for (const problem of missing) this.report(problem);
		if (templatesOfRows(loaded).length > 1) this.report(DIFFERENT_COLUMNS);
		const rendered = renderInspections(loaded, notices);
		const itemsOf = new Map(loaded.map((one, index) => [one, rendered[index]?.flat() ?? []]));
		if (missing.length === 0) notices.addEach(sheetAdvice(loaded));
		const seen = new Set<LoadedInspections>();
		return results.map((one) => {
			const items = itemsOf.get(one) ?? [];
			const isRepeated = seen.has(one);
			seen.add(one);
			return isRepeated ? items.map((item) => ({ ...item, json: deepCopy(item.json) })) : items;
		});
	}
}

/**
 * Returns sentences about parts that all inspections of a service lack, and about answers that may be missing. Users
 * must not overwrite rows of a sheet with such inspections.
 */
function missingAnswers(loaded: readonly LoadedInspections[]): string[] {
	const found = loaded.filter(({ inspections }) => inspections.length > 0);
	const alike = groupByService(found, ({ choice }) => JSON.stringify(choice));
	const parts = alike.flatMap((some) => {
		const inspections = some.flatMap((one) => one.inspections);
		return some.slice(0, 1).flatMap(({ choice }) => missingParts(inspections, includesFor(choice)));
	});
	const isPart = found.some(({ choice }) => choice.output === 'row' && choice.isPartOfAnswers);
	return [...(isPart ? [OTHER_ANSWERS] : []), ...parts];
}

/** Returns the templates of all rows with all columns, for each service. */
function templatesOfRows(loaded: readonly LoadedInspections[]): string[] {
	const rows = loaded.filter(({ choice }) => choice.output === 'row' && choice.fields.length === 0);
	return groupByService(rows, () => '').flatMap((ofService) => [
		...new Set(ofService.flatMap(({ inspections }) => inspections.map(templateKey))),
	]);
}

/** Returns a hint if several items shared the same inspections. */
export function repeatedHints(results: readonly LoadedInspections[]): Hint[] {
	const count = results.length - new Set(results).size;
	if (count === 0) return [];
	const message = `${String(count)} of these items requested the same inspections as another item. The inspections were read once and returned for each of these items. To return them only once, turn on 'Execute Once' in the settings of this node.`;
	return [{ message, type: 'warning' }];
}
