import { mapConcurrently } from '../mapConcurrently';
import { floorToSecond, msSinceEpoch, timestampOf } from '../timestamp';
import { askPage, type Reading } from './askPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import type { KeyRange } from './keyRange';
import { spanOf, timesOfPage } from './pageChecks';

/** The page in the middle of a thousand inspections. */
export const MIDDLE = 6;
/** The page at the end of a thousand inspections: where it is full the list is long. */
export const END = 11;
/** The pages that are asked for at once behind page 1, to see how long the list is. */
export const LOOKS = [2, MIDDLE, END];
/** From the middle on, pages are a little shorter: in a long list keyset pages overlap, and would not quite reach them. */
export const FAR_PAGE_SIZE = 96;
const NEWEST = 0;
const MS_PER_SECOND = 1_000;
/** New inspections may come at the end while it is looked at. */
const MOST_LOOKS_AT_END = 3;

/** Takes inspections as they come: in no order, and some of them more than once. */
export type TakePage = (inspections: readonly InspectionRecord[]) => void;

interface NumberedOptions {
	/** The range that the filter asks for. */
	readonly range: KeyRange;
	readonly take: TakePage;
	/** How many requests may be under way at once. */
	readonly lanes: number;
}

/**
 * The pages of a list by number, in the order of creation: nothing leaves its place there but by a deletion or by a filter
 * that lets it go. Others may still create, the service may send fewer inspections than asked for, or order equal times
 * anew: so the places tell whether all were read.
 */
export class NumberedPages {
	/** The newest page, in falling order; empty where it was not asked for. */
	newest: readonly InspectionRecord[] = [];
	private readonly pages = new Map<number, InspectionPage>();
	private readonly reading: Reading;
	private readonly options: NumberedOptions;
	/** The id of the inspection at each place, from 0. */
	private readonly idAt = new Map<number, string>();
	private isConsistent = true;
	private isEndKnown = false;

	constructor(reading: Reading, options: NumberedOptions) {
		this.reading = reading;
		this.options = options;
	}

	/** Whether the list has more than a thousand inspections. */
	get isLong(): boolean {
		return this.get(END).length >= FAR_PAGE_SIZE;
	}

	/** The inspections of a page; none where it was not read. */
	get(number: number): readonly InspectionRecord[] {
		return this.pages.get(number)?.inspections ?? [];
	}

	/**
	 * The inspections that the list begins with, and the number of the page behind them. Page 2 belongs to them where a
	 * second begins with it, so that nothing was moved between the two, or where both are of one second, whose count shows it.
	 */
	begin(): { inspections: readonly InspectionRecord[]; next: number } {
		const [first, second] = [this.get(1), this.get(2)];
		const secondOf = (one: InspectionRecord | undefined) => {
			const time = timestampOf(one?.created_at);
			return time && msSinceEpoch(floorToSecond(time));
		};
		const [begin, last, from, to] = [first[0], first.at(-1), second[0], second.at(-1)].map(
			secondOf,
		);
		const isFull = second.length === MAX_PAGE_SIZE && last !== undefined && from !== undefined;
		const isJoined = isFull && (last < from || begin === to);
		return isJoined
			? { inspections: [...first, ...second], next: 3 }
			: { inspections: first, next: 2 };
	}

	/** Reads what comes after page 1. False where the list is long, or where it is not certain that all were read. */
	async readBehind(first: InspectionPage): Promise<boolean> {
		this.note(1, MAX_PAGE_SIZE, first);
		this.pages.set(1, first);
		const { range, lanes } = this.options;
		const times = timesOfPage(this.reading.order, range, first.inspections);
		// In a list that begins with a full second the newest page tells little.
		const isDense = spanOf(times) < MS_PER_SECOND;
		let numbers = isDense ? LOOKS : [NEWEST, ...LOOKS];
		while (numbers.length > 0) {
			await mapConcurrently(numbers, lanes, async (number) => {
				if (number === NEWEST) await this.askNewest();
				else this.pages.set(number, await this.ask(number, sizeOf(number)));
			});
			if (this.isLong) return false;
			if (!this.isEndKnown) this.placeNewest();
			numbers = this.missing();
		}
		if (this.isShort && this.isEndKnown && this.isWhole()) return true;
		for (let looks = 0; looks < MOST_LOOKS_AT_END && this.isWhole(); looks++) {
			const count = this.idAt.size;
			if ((await this.lookAtEnd()) && this.idAt.size === count) return this.isWhole();
		}
		return false;
	}

	/** The pages of the free places, up to the first one behind those that are taken. */
	private missing(): number[] {
		const end = Math.max(...this.idAt.keys()) + (this.isEndKnown ? 0 : 1);
		const places = Array.from({ length: end + 1 }, (_, place) => place);
		const free = places.filter((place) => !this.idAt.has(place)).map(numberAt);
		const missing = [...new Set(free)].filter((number) => !this.pages.has(number));
		return missing.slice(0, this.isShort ? 1 : undefined);
	}

	/**
	 * Whether the list has at most 500 inspections. Its pages are read one after another: what is created meanwhile moves
	 * one that was read to the next page, where it is met again.
	 */
	private get isShort(): boolean {
		const before = MIDDLE - 1;
		return this.get(MIDDLE).length <= before * (MAX_PAGE_SIZE - FAR_PAGE_SIZE);
	}

	/** Gives the newest inspections their places, where some have them already and the order is the same but reversed. */
	private placeNewest(): void {
		const placeOf = new Map([...this.idAt].map(([place, id]) => [id, place]));
		const ends = this.newest.flatMap(({ id }, index) => {
			const place = placeOf.get(id);
			return place === undefined ? [] : [place + index];
		});
		const [end] = ends;
		if (end === undefined || ends.length < 2 || new Set(ends).size > 1) return;
		this.isEndKnown = true;
		for (const [index, { id }] of this.newest.entries()) this.place(end - index, id);
	}

	/**
	 * Whether the list still ends as it was read: asked for with another page size, so that a service that sends fewer
	 * inspections than it is asked for would end it elsewhere. What was created anywhere meanwhile has moved the end.
	 */
	private async lookAtEnd(): Promise<boolean> {
		const count = this.idAt.size;
		const size = count % (MAX_PAGE_SIZE - 1) === 0 ? MAX_PAGE_SIZE - 2 : MAX_PAGE_SIZE - 1;
		const number = Math.ceil(count / size);
		const { inspections } = await this.ask(number, size);
		return (number - 1) * size + inspections.length >= count;
	}

	/** Whether no place is free before the last one, and no inspection has two. */
	private isWhole(): boolean {
		const count = this.idAt.size;
		const isFilled = Math.max(...this.idAt.keys()) === count - 1;
		return this.isConsistent && isFilled && new Set(this.idAt.values()).size === count;
	}

	private async askNewest(): Promise<void> {
		const { range, take } = this.options;
		const order = { ...this.reading.order, sortOrder: 'desc' } as const;
		const { inspections } = await askPage({ ...this.reading, order }, range);
		timesOfPage(order, range, inspections);
		this.newest = inspections;
		take(inspections);
	}

	private async ask(number: number, size: number): Promise<InspectionPage> {
		const { range, take } = this.options;
		const page = await askPage(this.reading, range, number, size);
		timesOfPage(this.reading.order, range, page.inspections);
		this.note(number, size, page);
		take(page.inspections);
		return page;
	}

	/** Notes who has which place. */
	private note(number: number, size: number, { inspections }: InspectionPage): void {
		for (const [index, { id }] of inspections.entries()) {
			this.place((number - 1) * size + index, id);
		}
	}

	private place(place: number, id: string): void {
		this.isConsistent &&= (this.idAt.get(place) ?? id) === id;
		this.idAt.set(place, id);
	}
}

function sizeOf(number: number): number {
	return number < MIDDLE ? MAX_PAGE_SIZE : FAR_PAGE_SIZE;
}

/** The page that a place is on. */
function numberAt(place: number): number {
	const number = Math.floor(place / MAX_PAGE_SIZE) + 1;
	return number < MIDDLE ? number : Math.floor(place / FAR_PAGE_SIZE) + 1;
}
