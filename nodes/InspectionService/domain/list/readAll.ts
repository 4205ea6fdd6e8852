import { mapConcurrently } from '../mapConcurrently';
import { checkTimes, fetchPage, isCompleteRange, type ListSource } from './fetchPage';
import type { InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import { LatestById } from './latestById';
import { hasMutableFilters, hasServiceFilters } from './mutableFilters';
import {
	BY_CREATION,
	type NumberedPage,
	ParallelReader,
	type WholeReading,
} from './parallelReader';
import type { ListOptions } from './readUpTo';
import { rangeOf } from './timeRange';

/** The pages that are asked for after page 1, by number and at once. Where page 11 is full, the list is long. */
const LOOKS = { next: 2, middle: 6, end: 11 };

/** Reads every inspection that the filter lets through, each once, in the order asked for. */
export async function readAll(
	options: ListOptions,
	source: ListSource,
	lanes: number,
): Promise<InspectionRecord[]> {
	const found = new LatestById(options.isWanted);
	await readAllPages(options, source, lanes, (page) => found.add(page));
	return found.sorted(options);
}

/** Hands the pages over as they come, some inspections more than once ("Return All" in docs/how-it-reads.md). */
export async function readAllPages(
	{ filter, includes }: Pick<ListOptions, 'filter' | 'includes'>,
	{ list }: ListSource,
	lanes: number,
	take: WholeReading['take'],
): Promise<void> {
	const range = rangeOf(filter, 'created_at');
	const pageSize = MAX_PAGE_SIZE;
	const reading = { list, filter, includes, order: BY_CREATION, pageSize, range, lanes, take };
	const first = await fetchPage(reading, range);
	take(first.inspections);
	if (await isCompleteRange(reading, range, first)) return;
	const whole = new ParallelReader(reading);
	const isFixed = !hasMutableFilters(filter) && !hasServiceFilters(filter);
	if (!isFixed || first.inspections.length !== MAX_PAGE_SIZE) {
		await whole.readBehind(first, []);
		return;
	}
	const numbered = new NumberedPages(reading, first.inspections);
	if (await numbered.readBehind()) return;
	const looks = Object.values(LOOKS).map((number) => numbered.get(number));
	await whole.readBehind(first, looks);
}

/** The pages of a short list by number. */
class NumberedPages {
	private readonly reading: WholeReading;
	private readonly pages = new Map<number, readonly InspectionRecord[]>();

	constructor(reading: WholeReading, first: readonly InspectionRecord[]) {
		this.reading = reading;
		this.pages.set(1, first);
	}

	get(number: number): NumberedPage {
		return { number, inspections: this.pages.get(number) ?? [] };
	}

	/** Reads what comes after page 1. False where the list is long, or was changed meanwhile: not all may have been read. */
	async readBehind(): Promise<boolean> {
		for (let numbers = Object.values(LOOKS); numbers.length > 0; numbers = this.missing()) {
			await mapConcurrently(numbers, this.reading.lanes, async (number) => {
				this.pages.set(number, await this.ask(number, MAX_PAGE_SIZE));
			});
			if (this.get(LOOKS.end).inspections.length >= MAX_PAGE_SIZE) return false;
		}
		const pages = this.upToShort().map((number) => this.get(number));
		const ids = pages.flatMap(({ inspections }) => inspections.map(({ id }) => id));
		return new Set(ids).size === ids.length && (await this.endsWith(ids));
	}

	/** The numbers up to that of the first page that is not full. */
	private upToShort(): number[] {
		const short = [...this.pages].filter(([, { length }]) => length < MAX_PAGE_SIZE);
		const end = Math.min(...short.map(([number]) => number));
		return Array.from({ length: end }, (_, index) => index + 1);
	}

	/** The pages to be read next: those that are certain to be there, and one or two of the others. */
	private missing(): number[] {
		const filled = [...this.pages].filter(([, { length }]) => length > 0);
		const last = Math.max(...filled.map(([number]) => number));
		const missing = this.upToShort().filter((number) => !this.pages.has(number));
		const certain = missing.filter((number) => number < last).length;
		return missing.slice(0, certain + (last < LOOKS.middle ? 1 : 2));
	}

	/** Whether the list ends with these still. By pages of 99 or 98 it ends elsewhere where the service caps their number. */
	private async endsWith(ids: readonly string[]): Promise<boolean> {
		const size = MAX_PAGE_SIZE - (ids.length % (MAX_PAGE_SIZE - 1) === 0 ? 2 : 1);
		const number = Math.ceil(ids.length / size);
		const lastIds = ids.slice((number - 1) * size);
		const atEnd = await this.ask(number, size);
		return atEnd.length === lastIds.length && atEnd.every(({ id }, index) => id === lastIds[index]);
	}

	private async ask(number: number, size: number): Promise<readonly InspectionRecord[]> {
		const { order, range, take } = this.reading;
		const { inspections } = await fetchPage(this.reading, range, number, size);
		checkTimes(order, range, inspections);
		take(inspections);
		return inspections;
	}
}
