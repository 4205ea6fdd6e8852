import { NodeOperationError } from 'n8n-workflow';

import { fileRecordsOf } from '../domain/file/file';
import { htmlText } from '../domain/formatting';
import {
	hasUsableId,
	type InspectionRecord,
	leftOutWarnings,
	missingParts,
} from '../domain/list/inspectionPage';
import { type InspectionPageQuery, MAX_PAGE_SIZE } from '../domain/list/inspectionQuery';
import { readUpTo } from '../domain/list/readUpTo';
import { Notices } from '../domain/notices';
import { answerRecordsOf } from '../domain/row/placedAnswer';
import { NO_TEMPLATES } from '../fields/templateFilter';
import { type ItemOutput, loadInspections, renderInspections } from '../output/inspectionOutput';
import { includesFor } from '../output/outputChoice';
import type { TriggerParameters } from './fields';
import { ignoredFilters } from './ignoredFilters';
import { log, type TriggerPoll } from './triggerPoll';

/** Maximum pages to search. Chosen: a small number, because a user is waiting. */
const SAMPLE_PAGES = 10;

/**
 * Returns the items of n8n's "Fetch Test Event": those of the newest matching inspection that produces an item. Saves
 * no checkpoint.
 */
export async function testItems(poll: TriggerPoll): Promise<ItemOutput[]> {
	const { context, service, parameters, template } = poll;
	await template?.prepare([]);
	const { teamId, flaggedItemsOnly, statuses, sortBy, output } = parameters;
	// With these outputs, an inspection can produce no item.
	const part = output === 'files' || output === 'answers' ? output : undefined;
	const isShown = (inspection: InspectionRecord) => {
		if (template?.matches(inspection) === false) return false;
		if (part === 'files') return fileRecordsOf(inspection).length > 0;
		if (part === 'answers') return answerRecordsOf([inspection], new Map()).flat().length > 0;
		return true;
	};
	const options = {
		filter: { teamId, flaggedItemsOnly, status: statuses },
		includes: includesFor(parameters),
		sortBy,
		sortOrder: 'desc' as const,
		isWanted: template === undefined && part === undefined ? undefined : isShown,
	};
	const notices = new Notices();
	const warn = (text: string) => notices.add('missing', 'warning', text);
	const source = {
		list: async (query: InspectionPageQuery) => {
			const page = await service.list(query);
			await template?.prepare(page.inspections.filter(hasUsableId));
			leftOutWarnings(page.inspections).forEach(warn);
			return page;
		},
	};
	const isEnough = (_: unknown, pages: number) => pages >= SAMPLE_PAGES;
	const { inspections, isCutShort } = await readUpTo(options, 1, source, isEnough);
	if (inspections.length > 0) {
		const loaded = await loadInspections(inspections, parameters, { ...poll, notices });
		const items = renderInspections([loaded], notices).flat(2);
		missingParts(inspections, includesFor(parameters)).forEach(warn);
		(await ignoredFilters(poll)).forEach(warn);
		for (const line of notices.lines()) log(poll, line);
		return withWarnings(items, notices.lines());
	}
	const message = `No inspection ${part === undefined ? '' : `with ${part} `}matches this trigger yet`;
	const hasNoTemplates = template?.hasSeenNoTemplate() === true;
	const advice = hasNoTemplates ? NO_TEMPLATES : adviceFor(parameters, part, isCutShort);
	throw new NodeOperationError(context.getNode(), message, {
		level: 'warning',
		description: htmlText(advice),
	});
}

/**
 * Adds the warnings to the first item as text, because n8n shows no hints for a poll, and people who test don't read
 * its log. The field is the first one, so that it's visible in a wide table. Scheduled polls never return this field.
 */
function withWarnings(items: ItemOutput[], problems: readonly string[]): ItemOutput[] {
	const [first, ...others] = items;
	if (first === undefined || problems.length === 0) return items;
	const test_event_warnings = [...new Set(problems)].join('\n');
	return [{ ...first, json: { test_event_warnings, ...first.json } }, ...others];
}

/** Returns advice if no inspection matches. `part` is what an inspection needs to produce an item, if it needs any. */
function adviceFor(
	{ flaggedItemsOnly, statuses, teamId, template }: TriggerParameters,
	part: 'files' | 'answers' | undefined,
	isCutShort: boolean,
): string {
	const set: string[] = [];
	if (statuses.length > 0) set.push(`status ${statuses.join(' or ')}`);
	if (flaggedItemsOnly) set.push('flagged items');
	if (teamId !== undefined) set.push(`team ${teamId}`);
	if (template !== undefined) set.push(`template ${template}`);
	const filters = `filters (${set.length === 0 ? 'none set' : set.join('; ')})`;
	const wanted = part === undefined ? filters : `${filters} and has ${part}`;
	const most = (SAMPLE_PAGES * MAX_PAGE_SIZE).toLocaleString('en');
	const found = isCutShort
		? `none of the newest inspections matches (about ${most} were checked)`
		: 'there is no such inspection';
	const fix =
		part === undefined
			? 'Create or update a matching inspection, or change the filters'
			: `Add ${part} to a matching inspection, change the filters, or choose another output`;
	return `A test returns the newest inspection that matches the ${wanted}, but ${found}. ${fix}. Then test again. An active workflow needs no test: it starts when an inspection matches.`;
}
