import type { InspectionRecord } from './inspectionPage';
import type { InspectionFilter, InspectionPageQuery } from './inspectionQuery';
import { keysOfPage, withRange, type KeyRange, type KeysetOrder } from './keyset';
import { MAX_PAGE_SIZE } from '../limits';
import { passesMovingFilters, withoutMovingFilters } from './movingFilter';
import { UnexpectedAnswerError } from '../unexpectedAnswer';

/** Far beyond what one millisecond or second of real work makes: 100,000 inspections. */
const MAX_PAGES = 1000;
/** A pass is repeated while others rearrange the group. Each pass takes moments, so ten in a row are no accident. */
const MAX_PASSES = 10;
/** Passes in a row without anything unseen that count as complete although rows changed places within them. */
const QUIET_PASSES = 2;

/**
 * Inspections that share one time, more of them than a page holds: the only place where pages are read by
 * number. What moves rows between such pages is taken out of the request where it can be: the filters that
 * updates change are applied on this side. The order within the group stays the service's secret and may
 * change too, so the group is read until a pass brings nothing unseen. A pass in which no row came twice had
 * as many rows as the group: it is complete. Otherwise one more pass has to bring nothing unseen.
 */
export class TieGroup {
	private readonly order: KeysetOrder;
	private readonly filter: InspectionFilter;
	readonly range: KeyRange;
	private readonly asked: InspectionFilter;
	private readonly seen = new Set<string>();
	private seenInPass = new Set<string>();
	private foundInPass = 0;
	private hasRepeats = false;
	private page = 1;
	private pass = 1;
	private quietPasses = 0;
	private complete = false;

	constructor(order: KeysetOrder, filter: InspectionFilter, range: KeyRange) {
		this.order = order;
		this.filter = filter;
		this.range = range;
		const stable = order.sortBy === 'created_at' ? withoutMovingFilters(filter) : filter;
		this.asked = withRange(stable, order.sortBy, range);
	}

	get isComplete(): boolean {
		return this.complete;
	}

	query(): InspectionPageQuery {
		return { ...this.asked, ...this.order, page: this.page, pageSize: MAX_PAGE_SIZE };
	}

	/** Those of a page that pass the whole filter. */
	wantedOf(page: readonly InspectionRecord[]): readonly InspectionRecord[] {
		if (this.order.sortBy !== 'created_at') return page;
		return page.filter((inspection) => passesMovingFilters(inspection, this.filter));
	}

	/** Takes the answer to `query()`. */
	receive(page: readonly InspectionRecord[]): void {
		keysOfPage(this.order, this.range, page);
		const newInPass = this.remember(page);
		if (page.length < MAX_PAGE_SIZE) {
			this.endPass();
		} else if (newInPass === 0 || this.page >= MAX_PAGES) {
			throw new UnexpectedAnswerError(
				`The service sent page ${this.page} of the inspections of ${this.range.after ?? ''} without an end: it seems to ignore the parameter page`,
			);
		} else {
			this.page += 1;
		}
	}

	/** Returns how many of the page's inspections this pass had not met before. */
	private remember(page: readonly InspectionRecord[]): number {
		const before = this.seenInPass.size;
		for (const { id } of page) {
			if (this.seenInPass.has(id)) this.hasRepeats = true;
			this.seenInPass.add(id);
			if (!this.seen.has(id)) this.foundInPass += 1;
			this.seen.add(id);
		}
		return this.seenInPass.size - before;
	}

	private endPass(): void {
		this.quietPasses = this.foundInPass === 0 ? this.quietPasses + 1 : 0;
		const isCounted = this.foundInPass === 0 && !this.hasRepeats;
		this.complete = isCounted || this.quietPasses >= QUIET_PASSES;
		if (!this.complete && this.pass >= MAX_PASSES) {
			throw new UnexpectedAnswerError(
				`More inspections than a page holds share the time ${this.range.after ?? ''}, and the service kept sending them in another order: they could not be read completely. Try again when less is being changed, or narrow the filter`,
			);
		}
		this.pass += 1;
		this.page = 1;
		this.seenInPass = new Set();
		this.foundInPass = 0;
		this.hasRepeats = false;
	}
}
