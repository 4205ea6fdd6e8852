import { askPage, isAll, type Reading } from './askPage';
import type { InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import { rangeOf } from './keyRange';
import { limitRequests } from './limitRequests';
import { hasMovingFilters, hasServiceFilters } from './movingFilter';
import { NewestVersions } from './newestVersions';
import { NumberedPages, type TakePage } from './numberedPages';
import type { ListOptions, ListSource } from './readFirst';
import { OLDEST_FIRST, WholeList } from './wholeList';

export type { TakePage } from './numberedPages';

/**
 * Reads every inspection that the filter lets through, each once, in the order asked for. At most `lanes` requests are
 * under way at once. Memory holds only the inspections that `isWanted` lets through.
 */
export async function readWhole(
	options: ListOptions,
	source: ListSource,
	lanes: number,
): Promise<InspectionRecord[]> {
	const found = new NewestVersions(options.isWanted ?? (() => true));
	await readPages(options, source, lanes, (page) => found.add(page));
	return found.sorted(options);
}

/**
 * Reads every inspection that the filter lets through, while others create and update. It hands the pages over as they
 * come, for a caller that does not keep all inspections. It reads by keyset pagination over the time of creation, because
 * that never changes.
 *
 * A list that fits on a page takes one request. Otherwise several lanes read what lies behind the first page, part by
 * part. Where a part begins is looked up by page number: so the parts are equally long, however the list grows. Each lane
 * reads by keyset until it comes to seconds that were read, so that no inspection hangs on a number.
 */
export async function readPages(
	{ filter, includes }: Pick<ListOptions, 'filter' | 'includes'>,
	{ list }: ListSource,
	lanes: number,
	take: TakePage,
): Promise<void> {
	const requests = limitRequests(list, lanes);
	const range = rangeOf(filter, 'created_at');
	const order = { order: OLDEST_FIRST, pageSize: MAX_PAGE_SIZE };
	const reading: Reading = { list: requests.list, filter, includes, ...order };
	const first = await askPage(reading, range);
	take(first.inspections);
	if (await isAll(reading, range, first)) return;
	const free = () => Math.max(1, lanes - requests.underWay());
	const whole = new WholeList(reading, { range, take, free });
	const isFixed = !hasMovingFilters(filter) && !hasServiceFilters(filter);
	if (!isFixed || first.inspections.length !== MAX_PAGE_SIZE) {
		await whole.readBehind(first, lanes);
		return;
	}
	const numbered = new NumberedPages(reading, { range, take, lanes });
	if (await numbered.readBehind(first)) return;
	if (numbered.isLong) await whole.readLong(numbered, lanes);
	else await whole.readBehind(first, lanes);
}
