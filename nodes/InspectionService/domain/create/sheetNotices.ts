import { encodingFix } from '../encoding';
import { listText } from '../formatting';
import type { Hint } from '../notices';
import { rowsText } from '../rowNumbers';

/** Maximum distinct values of one kind that are kept. Messages show far fewer. */
const MAX_VALUES = 1_000;

interface Value {
	readonly text: string;
	/** The number of the row, for kinds that mention rows. */
	readonly row?: number | undefined;
}

/** What was collected of one kind. */
interface Found {
	readonly values: readonly Value[];
	/** How many inspections the notice is about, for kinds that count them. */
	readonly count: number;
	/** The same among all inspections of the run: `3 of 5 inspections`. */
	readonly share: string;
}

/** A kind of notice. A run has at most one notice of each kind, with all values. */
interface Kind {
	/** The type of the hint. Undefined if the notice only explains errors. */
	readonly type: Hint['type'] | undefined;
	/** Maximum values in the notice. */
	readonly shown: number;
	/** The text between two values. The default is a comma. */
	readonly between?: string;
	/** Where an error about rows has the notice, if it can explain problems: before or after them. */
	readonly inErrors?: 'first' | 'last';
	/** Returns the notice, without its final period. `list` contains the values. */
	readonly sentence: (list: string, found: Found) => string;
}

const KINDS = {
	unstored: {
		type: 'warning',
		shown: 20,
		sentence: (list, { share }) => `${share}: the service didn't store the answers to ${list}`,
	},
	uncompared: {
		type: 'info',
		shown: 0,
		sentence: (_, { share }) =>
			`${share}: the service's response contained no answers, so the stored answers couldn't be checked`,
	},
	existed: {
		type: 'info',
		shown: 0,
		sentence: (_, { share, count }) =>
			`${share} already existed (same unique key): nothing was sent for ${count === 1 ? 'it' : 'them'}`,
	},
	changed: {
		type: 'warning',
		shown: 20,
		sentence: (list, { share }) =>
			`${share}: the existing answers to ${list} differ from the rows. The API can't update an inspection: change these answers in the service`,
	},
	unchecked: {
		type: 'info',
		shown: 0,
		sentence: (_, { share }) => `${share}: the existing answers couldn't be compared with the rows`,
	},
	warned: {
		type: 'warning',
		shown: 3,
		between: ' · ',
		sentence: (list, { share, values }) =>
			`${share}: warnings: ${list}${values.length > 3 ? ' under "warnings"' : ''}`,
	},
	unfilled: {
		type: 'warning',
		shown: 12,
		sentence: (list) =>
			`No row has a value for ${list}. Fields with only this expression weren't sent. Fields that also contain other text were sent without the value. Check that the rows have the columns in these expressions`,
	},
	taskOff: {
		type: 'warning',
		shown: 0,
		sentence: () =>
			"'Create Task' is off, so the fields of 'Task' aren't used. Turn it on, or remove the fields",
	},
	skipped: {
		type: 'warning',
		shown: 1,
		sentence: (list) => `Skipped ${list}, because no cell has a value`,
	},
	noted: {
		type: 'warning',
		shown: 2,
		sentence: (list, { values }) =>
			`Skipped ${rowsOf(values)}, because only the column of 'Group Rows By' has a value (${list})`,
	},
	grouping: { type: 'warning', shown: 1, inErrors: 'first', sentence: (list) => list },
	decimals: { type: 'warning', shown: 1, inErrors: 'first', sentence: (list) => list },
	swappedDays: { type: 'warning', shown: 1, inErrors: 'first', sentence: (list) => list },
	nameless: {
		type: 'warning',
		shown: 0,
		sentence: (_, { values }) =>
			`Other rows have a name, but not ${rowsOf(values)}. The service names ${values.length === 1 ? 'this inspection' : 'these inspections'} after the template and the time. To avoid that, fill in the cells`,
	},
	unnamed: {
		type: 'info',
		shown: 0,
		sentence: (_, { count }) =>
			`'Name' is empty, so the service named ${count === 1 ? 'this inspection' : `these ${String(count)} inspections`} after the template and the time`,
	},
	unkeyed: {
		type: 'info',
		shown: 0,
		sentence: (_, { count }) =>
			`'Unique Key' is empty. If you run this again, the node creates ${count === 1 ? 'this inspection' : `all ${String(count)} inspections`} again`,
	},
	header: { type: undefined, shown: 3, inErrors: 'first', between: '. ', sentence: (list) => list },
	total: { type: 'warning', shown: 8, inErrors: 'first', sentence: totalsSentence },
	prefilled: {
		type: 'warning',
		shown: 8,
		inErrors: 'first',
		sentence: (list, { values }) =>
			`Only cells that a spreadsheet can fill in are filled in ${rowsOf(values)} (${list}). If they aren't inspections, remove them with a Filter node before this one`,
	},
	lookalike: {
		type: 'warning',
		shown: 5,
		between: '; ',
		sentence: (list) =>
			`These values look alike, but are different inspections: ${list}. If they are one inspection, write the value the same way`,
	},
	reserved: { type: 'warning', shown: 3, between: '. ', sentence: (list) => list },
	failedValue: {
		type: 'warning',
		shown: 12,
		between: '; ',
		sentence: (list) =>
			`A failed formula or expression left these values, and Create sends them unchanged: ${list}. Fix the cells, or the expression`,
	},
	encoding: {
		type: 'warning',
		shown: 12,
		between: '; ',
		sentence: (list) =>
			`${encodingFix([list]) ?? ''}. Create sends these values unchanged: ${list}`,
	},
	spreadsheetNumber: {
		type: 'info',
		shown: 12,
		between: '; ',
		sentence: (list) =>
			`Numbers in texts might be dates or times: ${list}. If they are, format the column as text in Excel`,
	},
	longNumber: {
		type: 'warning',
		shown: 12,
		between: '; ',
		sentence: (list) =>
			`Excel and n8n keep 15 digits of a number, so the last digits of these numbers are most likely wrong: ${list}. Format the column as text in Excel, and save the file again`,
	},
	farDate: {
		type: 'warning',
		shown: 12,
		between: '; ',
		sentence: (list) =>
			`These dates are far from today, and Create sends them unchanged: ${list}. Check the year`,
	},
	misencoded: {
		type: 'info',
		shown: 12,
		sentence: (list) =>
			`Characters such as – and € were repaired in ${list}, as if the file had the encoding Windows-1252. Check them. Earlier nodes still output the broken characters. To avoid that, save the file from Excel as 'CSV UTF-8'`,
	},
	ignored: {
		type: 'info',
		shown: 12,
		inErrors: 'last',
		sentence: (list, { values }) =>
			`Ignored: ${list} ${values.length === 1 ? 'matches' : 'match'} no question`,
	},
} satisfies Record<string, Kind>;

export type NoticeKind = keyof typeof KINDS;
const KIND_LIST = Object.entries<Kind>(KINDS);

/**
 * Collects what Create reports besides problems: for the rows of one inspection, or for a whole run. Each kind becomes
 * one sentence, in the order of `KINDS`: a hint above the output, and a line of an error that it can explain.
 */
export class SheetNotices {
	private readonly kinds = new Map<string, { values: Map<string, Value>; count: number }>();

	/** Adds a value once. `row` is the number of its row. */
	add(kind: NoticeKind, text: string, row?: number): void {
		this.put(kind, [{ text, row }], 0);
	}

	/** Counts an inspection, and adds each of its values once. */
	addInspection(kind: NoticeKind, texts: readonly string[] = []): void {
		const values = texts.map((text) => ({ text }));
		this.put(kind, values, 1);
	}

	addAll({ kinds }: SheetNotices): void {
		for (const [kind, { values, count }] of kinds) this.put(kind, values.values(), count);
	}

	/** Returns the sentences for an error about these rows, before and after the problems. */
	ofErrors(): { first: string[]; last: string[] } {
		const lines = (where: Kind['inErrors']) =>
			this.sentences(0).flatMap(({ inErrors, text }) => (inErrors === where ? [text] : []));
		return { first: lines('first'), last: lines('last') };
	}

	/**
	 * Returns the hints of a run with `total` inspections. `hasRefused` adds the notices that explain why rows were
	 * rejected.
	 */
	hints(hasRefused: boolean, total: number): Hint[] {
		return this.sentences(total).flatMap(({ type, text }): Hint[] => {
			if (type === undefined && !hasRefused) return [];
			return [{ message: text, type: type ?? 'warning' }];
		});
	}

	private put(kind: string, added: Iterable<Value>, inspections: number): void {
		const { values, count } = this.kinds.get(kind) ?? {
			values: new Map<string, Value>(),
			count: 0,
		};
		this.kinds.set(kind, { values, count: count + inspections });
		for (const value of added) {
			if (values.size < MAX_VALUES) values.set(`${String(value.row)} ${value.text}`, value);
		}
	}

	private sentences(total: number) {
		return KIND_LIST.flatMap(([kind, { type, shown, between, inErrors, sentence }]) => {
			const found = this.kinds.get(kind);
			if (found === undefined) return [];
			const { count } = found;
			const values = [...found.values.values()];
			const texts = values.slice(0, shown).map(({ text }) => text);
			const share = `${String(count)} of ${String(total)} ${total === 1 ? 'inspection' : 'inspections'}`;
			const text = sentence(listText(texts, values.length, between), { values, count, share });
			return [{ type, inErrors, text: text.endsWith('.') ? text : `${text}.` }];
		});
	}
}

function rowsOf(values: readonly Value[]): string {
	return rowsText(values.flatMap(({ row }) => row ?? []));
}

/** Returns `Rows 6 and 9 ("Razem") look like totals: …` */
function totalsSentence(list: string, { values }: Found): string {
	const rows = rowsOf(values);
	const isOne = values.length === 1;
	const what = isOne ? 'looks like a total: remove it' : 'look like totals: remove them';
	return `${rows.charAt(0).toUpperCase()}${rows.slice(1)} (${list}) ${what} with a Filter node before this one`;
}
