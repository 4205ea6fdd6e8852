import type { IExecuteFunctions } from 'n8n-workflow';

import type { ListSource } from '../../domain/list/fetchPage';
import {
	hasUsableId,
	type InspectionPage,
	type InspectionRecord,
	leftOutWarnings,
} from '../../domain/list/inspectionPage';
import {
	type InspectionPageQuery,
	isDataFiltered,
	MAX_PAGE_SIZE,
} from '../../domain/list/inspectionQuery';
import { readAll } from '../../domain/list/readAll';
import { type ListOptions, readUpTo } from '../../domain/list/readUpTo';
import { isEmptyRange, rangeOf } from '../../domain/list/timeRange';
import { MAX_ACTIVE } from '../../domain/mapConcurrently';
import type { MemoryBudget } from '../../domain/memoryBudget';
import { UnexpectedResponseError } from '../../domain/unexpectedResponse';
import { parametersOf } from '../../fields/field';
import { NO_TEMPLATES, ONLY_NAMES, TemplateFilter } from '../../fields/templateFilter';
import { includesFor, neededPart, type OutputChoice } from '../../output/outputChoice';
import { perItem, type Run } from '../action';
import { isTool } from '../itemError';
import type { ItemService } from '../itemServices';
import { LIST_FIELDS } from './inspectionFields';
import { repeatedHints, SharedResults } from './sharedResults';
import { UnfilledFilters } from './unfilledFilters';

const NONE_LEFT_OUT = `The filters 'Flagged Items Only' and 'Questions (Control IDs)' didn't remove any inspection. If some of these inspections don't match, change 'Data Filter Format' in the credential (Advanced Settings).`;

/**
 * The smallest Limit that causes a hint if it's reached. A smaller Limit is intentional, for example to get the newest
 * five.
 */
const { default: MIN_REPORTED_LIMIT } = LIST_FIELDS.limit.property;

const FILTERED_TIMES = [
	['Created', 'created_at'],
	['Updated', 'updated_at'],
] as const;

/** Retrieves a list of inspections: all of them, or the first `limit` in the requested order. */
export function startGetMany(run: Run) {
	const { context, services, notices } = run;
	const results = new SharedResults(run);
	const unfilled = new UnfilledFilters(context);
	return perItem(run, {
		async check(item) {
			const parameters = listParameters(context, item);
			unfilled.addItem(item);
			for (const problem of emptyRanges(parameters)) results.report(problem);
			return { parameters, service: await services.of(item) };
		},
		async send({ parameters, service }) {
			const read = async () => await readList(context, parameters, service, results);
			return await results.get(service, parameters.choice, parameters, read);
		},
		render(outcomes) {
			const items = results.render(outcomes);
			notices.addEach(unfilled.hints(run.numbers));
			notices.addEach(repeatedHints(outcomes));
			return items;
		},
	});
}

function emptyRanges({ filter }: ListParameters): string[] {
	return FILTERED_TIMES.flatMap(([name, time]) => {
		const range = rangeOf(filter, time);
		if (!isEmptyRange(range)) return [];
		return `'${name} After' (${range.after ?? ''}) is later than '${name} Before' (${range.before ?? ''}): no inspection can match both.`;
	});
}

/**
 * Whether to report that Limit was reached. n8n's editor (2.41) reports this itself if the number of items equals
 * Limit, but an AI model that uses this node as a tool can't see the editor.
 */
function reportsLimit(
	context: IExecuteFunctions,
	{ output, rowPerInstanceOf }: OutputChoice,
	limit: number,
): boolean {
	if (isTool(context)) return true;
	const isPerInstance = output === 'row' && rowPerInstanceOf !== undefined;
	const isShownByN8n =
		!(isPerInstance || output === 'answers' || output === 'files') &&
		context.getInputData().length === 1 &&
		context.getNode().parameters.limit === limit;
	return !isShownByN8n && limit >= Number(MIN_REPORTED_LIMIT);
}

type ListParameters = ReturnType<typeof listParameters>;

/** Throws InputError for invalid values. */
function listParameters(context: IExecuteFunctions, item: number) {
	const { limit: LIMIT, ...fields } = LIST_FIELDS;
	const { returnAll, output, filters, options } = parametersOf(context, item, fields);
	const { templateId: template, ...filter } = filters;
	const { sortBy, sortOrder, ...others } = options;
	// With Return All, the value of Limit is ignored.
	const limit = returnAll ? undefined : parametersOf(context, item, { limit: LIMIT }).limit;
	const isPartOfAnswers = Boolean(filter.templateControlIds?.length);
	const choice: OutputChoice = { output, ...others, isPartOfAnswers, template };
	return { choice, limit, filter, sortBy, sortOrder };
}

/** Reads the inspections of an item, and reports what may be missing from them. */
async function readList(
	context: IExecuteFunctions,
	{ choice, filter, limit, ...order }: ListParameters,
	{ client, templates }: ItemService,
	results: SharedResults,
): Promise<InspectionRecord[]> {
	const { template: reference } = choice;
	const template = reference === undefined ? undefined : new TemplateFilter(reference, templates);
	await template?.prepare([]);
	const isWanted = template && ((inspection: InspectionRecord) => template.matches(inspection));
	const options = { filter, includes: includesFor(choice), ...order, isWanted };
	let hasUsable = false;
	let lastWarning: string | undefined;
	const source = {
		list: async (query: InspectionPageQuery) => {
			const page = await client.list(query);
			hasUsable ||= page.inspections.some(hasUsableId);
			for (const warning of leftOutWarnings(page.inspections)) {
				lastWarning = warning;
				results.report(warning);
			}
			return await neededPage(page, choice, results.budget, template);
		},
	};
	const inspections =
		limit === undefined
			? await readAll(options, source, MAX_ACTIVE)
			: (await readUpTo(options, limit, source)).inspections;
	// A list of things without IDs is probably a different API.
	if (!hasUsable && lastWarning !== undefined) throw new UnexpectedResponseError(lastWarning);
	if (inspections.length === 0 && template?.hasSeenNoTemplate() === true) {
		results.report(NO_TEMPLATES);
	}
	if (template?.hasMatchedOnlyName() === true) results.report(ONLY_NAMES);
	if (isDataFiltered(filter) && (await isEachFound(inspections, options, source, limit))) {
		results.report(NONE_LEFT_OUT);
	}
	if (inspections.length === limit && reportsLimit(context, choice, limit)) {
		results.report(
			`${String(limit)} inspections were returned, as many as 'Limit' allows, so there might be more. Turn on 'Return All', or set a higher 'Limit'.`,
		);
	}
	return inspections;
}

/**
 * Whether the list starts with the same inspections when it isn't filtered by answers. If so, the service may have
 * ignored these filters because of their format.
 */
async function isEachFound(
	found: readonly InspectionRecord[],
	{ filter: given, ...options }: ListOptions,
	source: ListSource,
	limit = Infinity,
): Promise<boolean> {
	const filter = { ...given, flaggedItemsOnly: false, templateControlIds: [] };
	const count = Math.min(found.length + 1, limit, MAX_PAGE_SIZE);
	const unfiltered = { ...options, filter, includes: [] };
	const { inspections } = await readUpTo(unfiltered, count, source, () => true);
	const ids = new Set(found.map(({ id }) => id));
	return inspections.length > 0 && inspections.every(({ id }) => ids.has(id));
}

/** Returns the parts of a page that the output needs. Counts matching inspections against the memory budget. */
export async function neededPage(
	page: InspectionPage,
	choice: OutputChoice,
	budget: MemoryBudget,
	template?: Pick<TemplateFilter, 'prepare' | 'matches'>,
): Promise<InspectionPage> {
	await template?.prepare(page.inspections.filter(hasUsableId));
	const inspections = page.inspections.map((inspection) => neededPart(inspection, choice));
	for (const inspection of inspections.filter(hasUsableId)) {
		if (template?.matches(inspection) !== false) budget.add(inspection);
	}
	return { ...page, inspections };
}
