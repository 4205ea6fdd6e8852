import type { ListSource } from '../../domain/list/askPage';
import { type InspectionRecord, missingParts } from '../../domain/list/inspectionPage';
import { readFirst } from '../../domain/list/readFirst';
import { readWhole } from '../../domain/list/readWhole';
import { MAX_ACTIVE } from '../../domain/mapConcurrently';
import type { MemoryBudget } from '../../domain/memoryBudget';
import { templateKey } from '../../domain/template/templateOfInspection';
import { includesFor, neededPart, type OutputChoice } from '../../output/outputChoice';
import type { ItemService } from '../../transport/itemServices';
import { NO_TEMPLATES, type TemplateFilter, templateFilter } from '../../transport/templates';
import { jobPerItem, type OperationRun, type OperationSteps } from '../operation';
import {
	impossibleDates,
	includesOf,
	listParameters,
	type ListParameters,
	UnfilledFilters,
} from './listParameters';
import { Readings } from './readings';

const DIFFERENT_COLUMNS =
	'These rows are of several templates, and their columns differ. For one sheet, filter by Template, choose the same Fields for all, or use the output Answers.';

/** Lists inspections: all of them, or the first `limit` in the order asked for. */
export function beginGetMany({ context, serviceOf }: OperationRun): OperationSteps {
	const readings = new Readings(context);
	/** The templates of rows that have all their columns. */
	const templatesOfRows = new Set<string>();
	const unfilled = new UnfilledFilters(context);
	return {
		concurrency: MAX_ACTIVE,
		jobs: jobPerItem(context, async (item) => {
			const parameters = listParameters(context, item);
			unfilled.check(item);
			readings.report(impossibleDates(parameters));
			const service = await serviceOf(item);
			const read = async () => {
				const { choice } = parameters;
				const inspections = await inspectionsFor(parameters, service, readings);
				readings.report(missingParts(inspections, includesFor(choice)));
				if (choice.output === 'row' && choice.fields.length === 0) {
					for (const inspection of inspections) templatesOfRows.add(templateKey(inspection));
				}
				return inspections;
			};
			return async () => await readings.get(service, parameters, read);
		}),
		hints: () => [
			...readings.hints(templatesOfRows.size > 1 ? [DIFFERENT_COLUMNS] : []),
			...unfilled.hints(),
			...readings.repeatedHints(),
		],
	};
}

async function inspectionsFor(
	parameters: ListParameters,
	{ client, templates }: ItemService,
	readings: Readings,
): Promise<InspectionRecord[]> {
	const { choice, filter, sortBy, sortOrder, limit } = parameters;
	const template = templateFilter(parameters.template, templates);
	await template?.prepare([]);
	const isWanted = template && ((inspection: InspectionRecord) => template.matches(inspection));
	const options = { filter, includes: includesOf(parameters), sortBy, sortOrder, isWanted };
	const source = { list: countedList(client.list, choice, readings.budget, template) };
	const inspections =
		limit === undefined
			? await readWhole(options, source, MAX_ACTIVE)
			: (await readFirst(options, limit, source)).inspections;
	if (inspections.length === 0 && template?.hasSeenNone() === true) readings.report([NO_TEMPLATES]);
	return inspections;
}

/**
 * The list with only what the output needs of each inspection. Those that will be kept count against the budget, page by
 * page, so that reading ends before n8n has no memory left.
 */
export function countedList(
	list: ListSource['list'],
	choice: OutputChoice,
	budget: MemoryBudget,
	template?: TemplateFilter,
): ListSource['list'] {
	return async (query) => {
		const page = await list(query);
		await template?.prepare(page.inspections);
		const inspections = page.inspections.map((inspection) => neededPart(inspection, choice));
		for (const inspection of inspections) {
			if (template?.matches(inspection) !== false) budget.add(inspection);
		}
		return { ...page, inspections };
	};
}
