import type { IExecuteFunctions } from 'n8n-workflow';

import type { ListSource } from '../../domain/list/fetchPage';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import {
	type Include,
	type InspectionFilter,
	isDataFiltered,
	MAX_PAGE_SIZE,
} from '../../domain/list/inspectionQuery';
import { readAll } from '../../domain/list/readAll';
import { type ListOptions, readUpTo } from '../../domain/list/readUpTo';
import { isEmptyRange, rangeOf } from '../../domain/list/timeRange';
import { MAX_ACTIVE } from '../../domain/mapConcurrently';
import type { MemoryBudget } from '../../domain/memoryBudget';
import { parametersOf } from '../../fields/field';
import { includesFor, neededPart, type OutputChoice } from '../../output/outputChoice';
import type { ItemService } from '../../transport/itemServices';
import {
	NO_TEMPLATES,
	preparedList,
	type TemplateFilter,
	templateFilter,
} from '../../transport/templates';
import { isTool } from '../itemError';
import { jobPerItem, type OperationRun, type OperationSteps } from '../operation';
import { LIST_FIELDS } from './readingFields';
import { type Readings, repeatedHints, sharedReadings } from './readings';
import { unfilledFilters } from './unfilledFilters';

const NONE_LEFT_OUT =
	'Flagged Items Only and Questions have left out no inspection. Where some of these should not be here, the service does not know how these filters are written: change Data Filter Format in the credential (Advanced Settings).';

/** A smaller Limit is meant: the newest five, say. */
const [{ default: LEAST_TOLD }] = LIST_FIELDS.limit.properties;

const OTHER_ANSWERS =
	'With the filter Questions, a service may leave out all other answers: what is empty in these rows may not be empty there. Do not write it over good data.';

const FILTERED_TIMES = [
	['Created', 'created_at'],
	['Updated', 'updated_at'],
] as const;

/** Lists inspections: all of them, or the first `limit` in the order asked for. */
export function beginGetMany({ context, serviceOf }: OperationRun): OperationSteps {
	const readings = sharedReadings(context);
	const unfilled = unfilledFilters(context);
	return {
		jobs: jobPerItem(context, async (item) => {
			const parameters = listParameters(context, item);
			unfilled.note(item);
			for (const [name, time] of FILTERED_TIMES) {
				const range = rangeOf(parameters.filter, time);
				if (!isEmptyRange(range)) continue;
				readings.notes.report(
					`${name} After (${range.after ?? ''}) is later than ${name} Before (${range.before ?? ''}): no inspection can match both.`,
				);
			}
			const service = await serviceOf(item);
			const read = async () => {
				const inspections = await inspectionsFor(parameters, service, readings);
				const { choice, limit } = parameters;
				const isPart = choice.output === 'row' && choice.isPartOfAnswers;
				if (isPart && inspections.length > 0) readings.notes.reportMissing(OTHER_ANSWERS);
				if (inspections.length === limit && isLimitToBeTold(context, choice, limit)) {
					readings.notes.report(
						`${String(limit)} inspections came, as many as Limit allows: there may be more. Switch on Return All, or set a higher Limit.`,
					);
				}
				return inspections;
			};
			return async () => await readings.get(service, parameters.choice, parameters, read);
		}),
		hints: () => [...readings.hints(), ...unfilled.hints(), ...repeatedHints(readings.repeated())],
	};
}

/** The editor of n8n (2.41) says it where as many items come as stand in Limit; the model of a tool sees no editor. */
function isLimitToBeTold(
	context: IExecuteFunctions,
	{ output, rowPerInstanceOf }: OutputChoice,
	limit: number,
): boolean {
	if (isTool(context)) return true;
	const isPerInstance = output === 'row' && rowPerInstanceOf !== undefined;
	const isToldByN8n =
		!(isPerInstance || output === 'answers' || output === 'files') &&
		context.getInputData().length === 1 &&
		context.getNode().parameters.limit === limit;
	return !isToldByN8n && limit >= Number(LEAST_TOLD);
}

/** Throws InputError where a value cannot be used. */
function listParameters(context: IExecuteFunctions, item: number) {
	const { limit: LIMIT, ...fields } = LIST_FIELDS;
	const { returnAll, output, filters, options } = parametersOf(context, item, fields);
	const { templateId, ...filter } = filters;
	const { sortBy, sortOrder, ...others } = options;
	// With Return All, whatever stands in Limit does not count.
	const limit = returnAll ? undefined : parametersOf(context, item, { limit: LIMIT }).limit;
	const isPartOfAnswers = Boolean(filter.templateControlIds?.length);
	const choice = { output, ...others, isPartOfAnswers };
	return { choice, limit, filter, templateId, sortBy, sortOrder };
}

async function inspectionsFor(
	{ choice, filter, templateId, limit, ...order }: ReturnType<typeof listParameters>,
	{ client, templates }: ItemService,
	readings: Readings,
): Promise<InspectionRecord[]> {
	const template = templateFilter(templateId, templates);
	await template?.prepare([]);
	const isWanted = template && ((inspection: InspectionRecord) => template.matches(inspection));
	const options = { filter, includes: includesOf(choice, filter), ...order, isWanted };
	const source = { list: countedList(client.list, choice, readings.budget, template) };
	const inspections =
		limit === undefined
			? await readAll(options, source, MAX_ACTIVE)
			: (await readUpTo(options, limit, source)).inspections;
	if (inspections.length === 0 && template?.hasSeenNone() === true) {
		readings.notes.report(NO_TEMPLATES);
	}
	if (isDataFiltered(filter) && (await isEachFound(inspections, options, source, limit))) {
		readings.notes.report(NONE_LEFT_OUT);
	}
	return inspections;
}

/** Whether the list begins with the same inspections without its data filter: a service may ignore how that is written. */
async function isEachFound(
	found: readonly InspectionRecord[],
	{ filter: given, ...options }: ListOptions,
	source: ListSource,
	limit = Infinity,
): Promise<boolean> {
	const filter = { ...given, flaggedItemsOnly: false, templateControlIds: [] };
	const count = Math.min(found.length + 1, limit, MAX_PAGE_SIZE);
	const { inspections } = await readUpTo({ ...options, filter, includes: [] }, count, source, 1);
	const ids = new Set(found.map(({ id }) => id));
	return inspections.length > 0 && inspections.every(({ id }) => ids.has(id));
}

/** Adds `data` for a data filter, which has no effect without it (listInspections of docs/service.openapi.yaml). */
function includesOf(choice: OutputChoice, filter: InspectionFilter): Include[] {
	const wanted = includesFor(choice);
	return isDataFiltered(filter) && !wanted.includes('data') ? ['data', ...wanted] : wanted;
}

/** The list with only what the output needs. What will be kept counts against the budget, page by page. */
export function countedList(
	list: ListSource['list'],
	choice: OutputChoice,
	budget: MemoryBudget,
	template?: TemplateFilter,
): ListSource['list'] {
	const prepared = preparedList(list, template);
	return async (query) => {
		const page = await prepared(query);
		const inspections = page.inspections.map((inspection) => neededPart(inspection, choice));
		for (const inspection of inspections) {
			if (template?.matches(inspection) !== false) budget.add(inspection);
		}
		return { ...page, inspections };
	};
}
