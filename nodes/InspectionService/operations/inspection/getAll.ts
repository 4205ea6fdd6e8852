import { type InspectionRecord, missingParts } from '../../domain/list/inspectionPage';
import { type ListOptions, readFirst } from '../../domain/list/readFirst';
import { readWhole } from '../../domain/list/readWhole';
import { templateKey } from '../../domain/row/row';
import { addInspections, ExecutionOutput } from '../../output/inspectionOutput';
import { includesFor } from '../../output/outputChoice';
import type { ItemService } from '../../transport/itemServices';
import { NO_TEMPLATES, preparedList, templateFilter } from '../../transport/templates';
import { outputHints } from '../hints';
import { jobPerItem, type OperationRun, type OperationSteps } from '../operation';
import { impossibleDates, includesOf, listParameters, type ListParameters } from './listParameters';
import { SharedReadings } from './sharedReadings';
import { UnfilledFilters } from './unfilledFilters';

/**
 * Requests of one Return All under way at once: as many as the transport sends at once (MAX_ACTIVE). Measured with 5,000
 * inspections: 51 requests take the time of 6 round trips with 10 at once (bench/listRequests.mts).
 */
const LANES = 10;
/** Items served at once: as many as the connection sends requests at once (MAX_ACTIVE). */
const CONCURRENT_ITEMS = 10;
const DIFFERENT_COLUMNS =
	'These rows are of several templates, and their columns differ. For one sheet, filter by Template, choose the same Fields for all, or use the output Answers.';

/** Lists inspections: all of them, or the first `limit` in the order asked for. */
export function beginGetMany({ context, serviceOf }: OperationRun): OperationSteps {
	const problems: string[] = [];
	const report = (problem: string) => problems.push(problem);
	const readings = new SharedReadings();
	const execution = new ExecutionOutput();
	const templatesOfRows = new Set<string>();
	const { budget } = readings;
	const unfilled = new UnfilledFilters(context);
	return {
		concurrency: CONCURRENT_ITEMS,
		jobs: jobPerItem(context, async (item) => {
			const parameters = listParameters(context, item);
			unfilled.check(item);
			impossibleDates(parameters).forEach(report);
			const { client, templates } = await serviceOf(item);
			const read = async () => {
				const inspections = await inspectionsFor(parameters, { client, templates, budget }, report);
				missingParts(inspections, includesFor(parameters)).forEach(report);
				noteColumns(templatesOfRows, inspections, parameters);
				const output = { context, service: client, templates, report };
				const make = await addInspections(inspections, parameters, output, execution);
				return () => make().flat();
			};
			return async () => await readings.get({ client, parameters }, read);
		}),
		hints: () => [
			...outputHints([...problems, ...differentColumns(templatesOfRows)], execution),
			...unfilled.hints(),
			...readings.hints(),
		],
	};
}

async function inspectionsFor(
	parameters: ListParameters,
	{
		client,
		templates,
		budget,
	}: Pick<ItemService, 'client' | 'templates'> & Pick<SharedReadings, 'budget'>,
	report: (problem: string) => void,
): Promise<InspectionRecord[]> {
	const template = templateFilter(parameters.template, templates);
	await template?.prepare([]);
	const isWanted =
		template &&
		((inspection: InspectionRecord) => template.matches(inspection) && budget.add(inspection) > 0);
	const options = { ...optionsOf(parameters), isWanted };
	const { limit } = parameters;
	const source = preparedList(client, template, budget);
	const inspections =
		limit === undefined
			? await readWhole(options, source, LANES)
			: (await readFirst(options, limit, source)).inspections;
	if (inspections.length === 0 && template?.hasSeenNone() === true) report(NO_TEMPLATES);
	return inspections;
}

function optionsOf(parameters: ListParameters): ListOptions {
	const { filter, sortBy, sortOrder } = parameters;
	return {
		filter,
		includes: includesOf(parameters),
		sortBy,
		sortOrder,
	};
}

/** Notes the templates of rows that have all their columns. */
function noteColumns(
	templates: Set<string>,
	inspections: readonly InspectionRecord[],
	{ output, fields }: ListParameters,
): void {
	if (output !== 'row' || fields.length > 0) return;
	for (const inspection of inspections) templates.add(templateKey(inspection));
}

function differentColumns(templates: ReadonlySet<string>): string[] {
	return templates.size > 1 ? [DIFFERENT_COLUMNS] : [];
}
