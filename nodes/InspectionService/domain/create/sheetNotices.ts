import { encodingFix } from '../encoding';
import { listText, SHOWN_NAMES } from '../formatting';
import type { Hint } from '../notices';
import { rowsTitle } from '../problem';
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
	/** The rows of the values, for kinds that mention rows. */
	readonly rows: readonly number[];
	/** How many inspections the notice is about, for kinds that count them. */
	readonly count: number;
	/** The same among all inspections of the run: `3 of 5 inspections`. */
	readonly share: string;
}

interface Notice extends Hint, Pick<Kind, 'inErrors'> {}

/** A kind of notice. A run has at most one notice of each kind, with all values. */
interface Kind {
	/** The type of the hint. The default is a warning. */
	readonly type?: 'info';
	/** Maximum values in the notice. The default is `SHOWN_NAMES`. */
	readonly shown?: number;
	/** The text between two values. The default is a comma. */
	readonly between?: string;
	/** Where an error about rows has the notice, if it can explain problems: before or after them. */
	readonly inErrors?: 'first' | 'last';
	/**
	 * Returns the notice, without its final period. `list` contains the values. By default, each value is a separate
	 * notice.
	 */
	readonly sentence?: (list: string, found: Found) => string;
}

const KINDS = {
	unstored: {
		sentence: (list, { share }) => `${share}: the service didn't store the answers to ${list}`,
	},
	existed: {
		type: 'info',
		sentence: (_, { share, count }) =>
			`${share} already existed (same unique key): nothing was sent for ${count === 1 ? 'it' : 'them'}`,
	},
	changed: {
		sentence: (list, { share }) =>
			`${share}: the existing answers to ${list} differ from the rows. The API can't update an inspection: change these answers in the service`,
	},
	unchecked: {
		type: 'info',
		sentence: (_, { share }) => `${share}: the stored answers couldn't be compared with the rows`,
	},
	warned: {
		shown: 3,
		between: ' · ',
		sentence: (list, { share, values }) =>
			`${share}: warnings: ${list}${values.length > 3 ? ' under "warnings"' : ''}`,
	},
	unfilled: {
		sentence: (list) =>
			`No row has a value for ${list}. Fields with only this expression weren't sent. Fields that also contain other text were sent without the value. Check that the rows have the columns in these expressions`,
	},
	taskOff: {
		sentence: () =>
			"'Create Task' is off, so the fields of 'Task' aren't used. Turn it on, or remove the fields",
	},
	skipped: {
		sentence: (list) => `Skipped ${list}, because no cell has a value`,
	},
	noted: {
		shown: 2,
		sentence: (list, { rows }) =>
			`Skipped ${rowsText(rows)}, because only the column of 'Group Rows By' has a value (${list})`,
	},
	/** Advice on the whole sheet. */
	advice: { inErrors: 'first' },
	nameless: {
		sentence: (_, { rows, values }) =>
			`Other rows have a name, but not ${rowsText(rows)}. The service names ${values.length === 1 ? 'this inspection' : 'these inspections'} after the template and the time. To avoid that, fill in the cells`,
	},
	unnamed: {
		type: 'info',
		sentence: (_, { count }) =>
			`'Name' is empty, so the service named ${count === 1 ? 'this inspection' : `these ${String(count)} inspections`} after the template and the time`,
	},
	unkeyed: {
		type: 'info',
		sentence: (_, { count }) =>
			`'Unique Key' is empty. If you run this again, the node creates ${count === 1 ? 'this inspection' : `all ${String(count)} inspections`} again`,
	},
	/** The cause of problems: the header row, or the encoding of the file. */
	cause: { inErrors: 'first' },
	total: {
		shown: 8,
		inErrors: 'first',
		sentence: (list, { values, rows }) => {
			const title = rowsTitle({ rows, name: list });
			const fix =
				values.length === 1 ? 'looks like a total: remove it' : 'look like totals: remove them';
			return `${title} ${fix} with a Filter node before this one`;
		},
	},
	prefilled: {
		shown: 8,
		inErrors: 'first',
		sentence: (list, { rows }) =>
			`Only cells that a spreadsheet can fill in are filled in ${rowsText(rows)} (${list}). If they aren't inspections, remove them with a Filter node before this one`,
	},
	lookalike: {
		shown: 5,
		between: '; ',
		sentence: (list) =>
			`These values look alike, but are different inspections: ${list}. If they are one inspection, write the value the same way`,
	},
	reserved: {
		inErrors: 'first',
		sentence: (list) =>
			`These column names are reserved for the inspection itself. To answer the questions with these names, choose 'Map Each Column Manually', or rename the columns: ${list}`,
	},
	failedValue: {
		between: '; ',
		sentence: (list) =>
			`A failed formula or expression left these values, and Create sends them unchanged: ${list}. Fix the cells, or the expression`,
	},
	encoding: {
		between: '; ',
		sentence: (list) =>
			`${encodingFix([list]) ?? ''}. Create sends these values unchanged: ${list}`,
	},
	spreadsheetNumber: {
		type: 'info',
		between: '; ',
		sentence: (list) =>
			`Numbers in texts might be dates or times: ${list}. If they are, format the column as text in Excel`,
	},
	longNumber: {
		between: '; ',
		sentence: (list) =>
			`Excel and n8n keep 15 digits of a number, so the last digits of these numbers are most likely wrong: ${list}. Format the column as text in Excel, and save the file again`,
	},
	farDate: {
		between: '; ',
		sentence: (list) =>
			`These dates are far from today, and Create sends them unchanged: ${list}. Check the year`,
	},
	misencoded: {
		type: 'info',
		sentence: (list) =>
			`Characters such as – and € were repaired in ${list}, as if the file had the encoding Windows-1252. Check them. Earlier nodes still output the broken characters. To avoid that, save the file from Excel as 'CSV UTF-8'`,
	},
	ignored: {
		type: 'info',
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
			this.notices(0).flatMap(({ inErrors, message }) => (inErrors === where ? [message] : []));
		return { first: lines('first'), last: lines('last') };
	}

	/** Returns the hints of a run with `total` inspections. */
	hints(total: number): Hint[] {
		return this.notices(total).map(({ type, message }) => ({ type, message }));
	}

	private put(kind: string, added: Iterable<Value>, inspections: number): void {
		const known = this.kinds.get(kind) ?? { values: new Map<string, Value>(), count: 0 };
		this.kinds.set(kind, { ...known, count: known.count + inspections });
		for (const value of added) {
			if (known.values.size < MAX_VALUES)
				known.values.set(`${String(value.row)} ${value.text}`, value);
		}
	}

	private notices(total: number): Notice[] {
		return KIND_LIST.flatMap(([name, kind]) => {
			const { values, count } = this.kinds.get(name) ?? {};
			if (values === undefined || count === undefined) return [];
			const share = `${String(count)} of ${String(total)} ${total === 1 ? 'inspection' : 'inspections'}`;
			const all = [...values.values()];
			const rows = all.flatMap(({ row }) => row ?? []);
			const { type = 'warning', inErrors } = kind;
			return messagesOf(kind, { values: all, rows, count, share }).map((text): Notice => {
				return { type, inErrors, message: text.endsWith('.') ? text : `${text}.` };
			});
		});
	}
}

function messagesOf({ shown = SHOWN_NAMES, between, sentence }: Kind, found: Found): string[] {
	const { values } = found;
	const texts = values.slice(0, shown).map(({ text }) => text);
	return sentence === undefined
		? texts
		: [sentence(listText(texts, values.length, between), found)];
}
