import type { InspectionRecord } from './inspectionPage';
import type { InspectionFilter, InspectionPageQuery } from './inspectionQuery';
import { GroupPass, MAX_PASSES, pageSizeAfter } from './groupPass';
import { keysOfPage, withRange, type KeyRange, type KeysetOrder } from './keyset';
import { passesMovingFilters, withoutMovingFilters } from './movingFilter';
import { UnexpectedResponseError } from '../unexpectedResponse';

/** Rows of one pass. Far beyond what one millisecond or second of real work makes. */
const MAX_ROWS = 100_000;

/**
 * Inspections that share one time, more of them than a page holds: the only place where pages are read by
 * number. What moves rows between such pages is taken out of the request where it can be: the filters that
 * updates change are applied on this side. The order within the group stays the service's secret and may
 * change too, even from page to page, so the group is read until all of it is known (`GroupPass`), with pages of
 * another size wherever a pass had rows twice.
 */
export class TieGroup {
	private readonly order: KeysetOrder;
	private readonly filter: InspectionFilter;
	readonly range: KeyRange;
	private readonly asked: InspectionFilter;
	private readonly seen = new Set<string>();
	private pass = new GroupPass();
	private page = 1;
	private readonly largestPage: number;
	private pageSize: number;
	private passes = 1;
	private quietPasses = 0;
	private unsteadyPasses = 0;
	private complete = false;

	/** `largestPage` is how many inspections the service puts on a page. */
	constructor(order: KeysetOrder, filter: InspectionFilter, range: KeyRange, largestPage: number) {
		this.order = order;
		this.largestPage = largestPage;
		this.pageSize = largestPage;
		this.filter = filter;
		this.range = range;
		const stable = order.sortBy === 'created_at' ? withoutMovingFilters(filter) : filter;
		this.asked = withRange(stable, order.sortBy, range);
	}

	get isComplete(): boolean {
		return this.complete;
	}

	query(): InspectionPageQuery {
		return { ...this.asked, ...this.order, page: this.page, pageSize: this.pageSize };
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
		if (page.length < this.pageSize) this.endPass();
		else if (this.isEndless(newInPass)) throw this.endless();
		else this.page += 1;
	}

	/** Returns how many of the page's inspections this pass had not met before. */
	private remember(page: readonly InspectionRecord[]): number {
		let newInPass = 0;
		for (const { id } of page) {
			if (this.pass.count(id, !this.seen.has(id))) newInPass += 1;
			this.seen.add(id);
		}
		return newInPass;
	}

	/** Later passes have small pages, on which an unsteady order may well put nothing but rows that came already. */
	private isEndless(newInPass: number): boolean {
		return (newInPass === 0 && this.passes === 1) || this.pass.rowCount >= MAX_ROWS;
	}

	private endPass(): void {
		this.complete = this.pass.completes(this.seen.size, this.quietPasses);
		if (!this.complete && this.passes >= MAX_PASSES) throw this.incomplete();
		this.quietPasses = this.pass.isQuiet ? this.quietPasses + 1 : 0;
		if (this.pass.isUnsteady) this.unsteadyPasses += 1;
		this.passes += 1;
		this.pass = new GroupPass();
		this.page = 1;
		this.pageSize = pageSizeAfter(this.unsteadyPasses, this.largestPage);
	}

	private endless(): UnexpectedResponseError {
		return new UnexpectedResponseError(
			`The service sent page ${this.page} of the inspections of ${this.range.after ?? ''} without an end: it seems to ignore the parameter page`,
		);
	}

	private incomplete(): UnexpectedResponseError {
		return new UnexpectedResponseError(
			`More inspections than a page holds share the time ${this.range.after ?? ''}, and the service kept sending them in another order: they could not be read completely. Try again when less is being changed, or narrow the filter`,
		);
	}
}
