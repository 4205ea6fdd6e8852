import { NodeOperationError } from 'n8n-workflow';

import type { InspectionRecord } from '../domain/list/inspectionPage';
import { MAX_PAGE_SIZE } from '../domain/list/inspectionQuery';
import { type ListOptions, readFirst } from '../domain/list/readFirst';
import { answerRecordsOf } from '../domain/row/answerRecords';
import { fileRecordsOf } from '../domain/row/fileRecords';
import { htmlText } from '../domain/shownText';
import type { InspectionItem } from '../output/inspectionOutput';
import { includesFor, type OutputMode } from '../output/outputChoice';
import { NO_TEMPLATES, preparedList } from '../transport/templates';
import { timeOfEvent, type TriggerParameters } from './parameters';
import { itemsOf, type TriggerPoll, warn } from './triggerPoll';

/** Pages that "Fetch test event" looks through for a match. A user waits for them. */
const SAMPLE_PAGES = 10;
/** Inspections on these pages, at most: the pages overlap, because each begins with the last second of the one before. */
const SAMPLE_SIZE = SAMPLE_PAGES * MAX_PAGE_SIZE;

/**
 * The items of "Fetch test event": those of the newest inspection that matches and gives an item, also where it was
 * emitted before. Nothing is stored.
 */
export async function testItems(poll: TriggerPoll): Promise<InspectionItem[]> {
	const { context, service, parameters, template } = poll;
	await template?.prepare([]);
	const { teamId, statuses, event, output } = parameters;
	const matching = new Set<string>();
	const isShown = (inspection: InspectionRecord) => {
		if (template?.matches(inspection) === false) return false;
		matching.add(inspection.id);
		return givesItems(inspection, output);
	};
	const options = {
		filter: { teamId, status: statuses },
		includes: includesFor(parameters),
		sortBy: timeOfEvent(event),
		sortOrder: 'desc',
		isWanted: template === undefined && !mayGiveNone(output) ? undefined : isShown,
	} satisfies ListOptions;
	const source = preparedList(service, template);
	const { inspections, isCutShort } = await readFirst(options, 1, source, SAMPLE_PAGES);
	if (inspections.length > 0) {
		const report = (problem: string) => warn(poll, problem);
		return (await itemsOf(poll, inspections, { report })).flat();
	}
	const hasNoTemplates = template?.hasSeenNone() === true;
	const found = { matching: matching.size, isCutShort, hasNoTemplates };
	const { message, description } = noSample(parameters, found);
	throw new NodeOperationError(context.getNode(), message, {
		level: 'warning',
		description: htmlText(description),
	});
}

/** Whether an inspection may give no item at all. */
function mayGiveNone(output: OutputMode): boolean {
	return output === 'files' || output === 'answers';
}

/** Whether an inspection has what the output consists of. Answers and files may be none. */
function givesItems(inspection: InspectionRecord, output: OutputMode): boolean {
	if (output === 'files') return fileRecordsOf(inspection).length > 0;
	if (output !== 'answers') return true;
	return answerRecordsOf([inspection], new Map()).flat().length > 0;
}

/** What a test has found instead of an inspection that it can show. */
interface NoSample {
	/** Inspections that match the filters, and give no item. */
	readonly matching: number;
	/** True where the service has more inspections than were looked at. */
	readonly isCutShort: boolean;
	/** True where no inspection says which template it was made from. */
	readonly hasNoTemplates: boolean;
}

/** What to say where a test can show no inspection. */
function noSample(
	parameters: Pick<TriggerParameters, 'output' | 'statuses' | 'teamId' | 'template'>,
	{ matching, isCutShort, hasNoTemplates }: NoSample,
): { message: string; description: string } {
	const filters = filtersText(parameters);
	if (matching > 0) {
		const what = parameters.output;
		return {
			message: `No inspection with ${what} matches this trigger yet`,
			description: `A test shows the newest inspection that matches the filters (${filters}) and has ${what}. ${matching.toLocaleString('en')} that match were looked at, and none of them has any. Add ${what} to one, or choose another output, then test again.`,
		};
	}
	const message = 'No inspection matches this trigger yet';
	if (hasNoTemplates) return { message, description: NO_TEMPLATES };
	const found = isCutShort
		? `there is none among the newest ${SAMPLE_SIZE.toLocaleString('en')} inspections or so`
		: 'the service has none';
	return {
		message,
		description: `A test shows the newest inspection that matches the filters (${filters}), and ${found}. Create or update one, or change the filters, then test again. An active workflow waits for the first one.`,
	};
}

/** The filters that a test was made with, as a person reads them: `status completed; template ROOF-01`. */
function filtersText({
	statuses,
	teamId,
	template,
}: Pick<TriggerParameters, 'statuses' | 'teamId' | 'template'>): string {
	const filters = [
		...(statuses.length === 0 ? [] : [`status ${statuses.join(' or ')}`]),
		...(teamId === undefined ? [] : [`team ${teamId}`]),
		...(template === undefined ? [] : [`template ${template}`]),
	];
	return filters.length === 0 ? 'none is set' : filters.join('; ');
}
