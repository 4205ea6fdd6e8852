import { encodingFix } from '../encoding';
import { listText } from '../formatting';
import type { Hint } from '../notices';
import { rowsText } from '../rowNumbers';
import type { Form } from '../template/form';
import { isWithoutHeader, namedColumns, similarColumns } from './unusedColumns';

/** Maximum distinct values of one kind that are kept. Messages show far fewer. */
const MAX_VALUES = 1_000;

interface Value {
	readonly text: string;
	/** The number of the row, for kinds that mention rows. */
	readonly row?: number | undefined;
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
	readonly sentence: (list: string, values: readonly Value[]) => string;
}

const KINDS = {
	header: { type: undefined, shown: 3, inErrors: 'first', sentence: (_, values) => joined(values) },
	total: { type: 'warning', shown: 8, inErrors: 'first', sentence: totalsSentence },
	prefilled: {
		type: 'warning',
		shown: 8,
		inErrors: 'first',
		sentence: (list, values) =>
			`Only cells that a spreadsheet can fill in are filled in ${rowsOf(values)} (${list}). If they aren't inspections, remove them with a Filter node before this one`,
	},
	lookalike: {
		type: 'warning',
		shown: 5,
		between: '; ',
		sentence: (list) =>
			`These values look alike, but are different inspections: ${list}. If they are one inspection, write the value the same way`,
	},
	similarColumn: {
		type: 'info',
		shown: 12,
		inErrors: 'first',
		sentence: (list, { length }) =>
			length === 1
				? `${list} is a column that matches no question`
				: `${list} are columns that match no question`,
	},
	reserved: { type: 'warning', shown: 3, sentence: (_, values) => joined(values) },
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
	repaired: {
		type: 'info',
		shown: 12,
		sentence: (list) =>
			`Characters such as – and € were repaired in ${list}, as if the file had the encoding Windows-1252. Check them. Earlier nodes still output the broken characters. To avoid that, save the file from Excel as 'CSV UTF-8'`,
	},
	ignored: {
		type: 'info',
		shown: 12,
		inErrors: 'last',
		sentence: (list, { length }) =>
			`Ignored: ${list} ${length === 1 ? 'matches' : 'match'} no question`,
	},
} satisfies Record<string, Kind>;

export type NoticeKind = keyof typeof KINDS;
const KIND_LIST = Object.entries<Kind>(KINDS);

/**
 * Collects what Create reports about the sheet besides problems: for the rows of one inspection, or for a whole run. Each
 * kind becomes one sentence, in the order of `KINDS`: a hint above the output, and a line of an error that it can explain.
 */
export class SheetNotices {
	private readonly kinds = new Map<string, Map<string, Value>>();
	/** Columns that match no question. Their text is made last, because finding a similar question takes long. */
	private readonly unmatched = new Map<string, Form>();

	/** Adds a value once. `row` is the number of its row. */
	add(kind: NoticeKind, text: string, row?: number): void {
		this.addValue(kind, { text, row });
	}

	addUnmatched(columns: readonly string[], form: Form): void {
		for (const column of columns) this.unmatched.set(column, form);
	}

	addAll({ kinds, unmatched }: SheetNotices): void {
		for (const [kind, values] of kinds) {
			for (const value of values.values()) this.addValue(kind, value);
		}
		for (const [column, form] of unmatched) this.unmatched.set(column, form);
	}

	/** Returns the sentences for an error about these rows, before and after the problems. */
	ofErrors(): { first: string[]; last: string[] } {
		const lines = (where: Kind['inErrors']) =>
			this.sentences().flatMap(({ inErrors, text }) => (inErrors === where ? [text] : []));
		return { first: lines('first'), last: lines('last') };
	}

	/** Returns the hints of a run. `hasRefused` adds the notices that explain why rows were rejected. */
	hints(hasRefused: boolean): Hint[] {
		return this.sentences().flatMap(({ type, text }): Hint[] => {
			if (type === undefined && !hasRefused) return [];
			return [{ message: text, type: type ?? 'warning' }];
		});
	}

	private addValue(kind: string, value: Value): void {
		const values = this.kinds.get(kind) ?? new Map<string, Value>();
		this.kinds.set(kind, values);
		if (values.size < MAX_VALUES) values.set(`${String(value.row)} ${value.text}`, value);
	}

	private sentences() {
		const columns = this.columnValues();
		return KIND_LIST.flatMap(([kind, { type, shown, between, inErrors, sentence }]) => {
			const values = columns.get(kind) ?? [...(this.kinds.get(kind)?.values() ?? [])];
			if (values.length === 0) return [];
			const texts = values.slice(0, shown).map(({ text }) => text);
			return [
				{ type, inErrors, text: `${sentence(listText(texts, values.length, between), values)}.` },
			];
		});
	}

	/** If the header is broken, columns without a name are its effect, and aren't listed. */
	private columnValues(): ReadonlyMap<string, Value[]> {
		const isListed = (column: string) => !this.kinds.has('header') || !isWithoutHeader(column);
		const all = [...this.unmatched].filter(([column]) => isListed(column));
		const keys = new Set(all.map(([column]) => column));
		const similar = new Set(all.flatMap(([column, form]) => similarColumns(form, [column], keys)));
		const valuesOf = (wanted: boolean) =>
			all.flatMap(([column, form]) =>
				similar.has(column) === wanted
					? namedColumns(form, [column], keys).map((text) => ({ text }))
					: [],
			);
		return new Map([
			['similarColumn', valuesOf(true)],
			['ignored', valuesOf(false)],
		]);
	}
}

function joined(values: readonly Value[]): string {
	return values.map(({ text }) => text).join('. ');
}

function rowsOf(values: readonly Value[]): string {
	return rowsText(values.flatMap(({ row }) => row ?? []));
}

/** Returns `Rows 6 and 9 ("Razem") look like totals: …` */
function totalsSentence(list: string, values: readonly Value[]): string {
	const rows = rowsOf(values);
	const isOne = values.length === 1;
	const what = isOne ? 'looks like a total: remove it' : 'look like totals: remove them';
	return `${rows.charAt(0).toUpperCase()}${rows.slice(1)} (${list}) ${what} with a Filter node before this one`;
}
