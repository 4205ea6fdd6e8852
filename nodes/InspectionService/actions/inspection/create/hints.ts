import type { CreatedInspection } from '../../../domain/create/createdInspection';
import type { CreateRequest } from '../../../domain/create/createRequest';
import type { Row } from '../../../domain/create/sheetRow';
import type { SuspiciousValue } from '../../../domain/create/suspiciousValues';
import { namedColumns, reservedColumnsFix } from '../../../domain/create/unusedColumns';
import { listText } from '../../../domain/formatting';
import { groupBy } from '../../../domain/groupBy';
import { textOf } from '../../../domain/json';
import type { Hint } from '../../../domain/notices';
import { MAX_SEARCHED } from '../../../domain/request/serviceMessage';
import type { Form } from '../../../domain/template/form';
import { expressionList, type FieldExpression } from './parameters';

/** Maximum number of columns and questions in a hint. */
const HINTED_NAMES = 20;
/** Maximum number of doubtful values in a hint. */
const SHOWN_SUSPICIOUS = 12;
/** Maximum number of the service's warnings in a hint. The output items contain all of them. */
const SHOWN_WARNINGS = 3;

type CreatedFacts = Pick<CreatedInspection, 'already_existed' | 'unstored_responses' | 'warnings'>;

/**
 * Collects the hints above Create's output, at most one of each kind. Doesn't store rows, because there can be
 * thousands. Doesn't use n8n's hint groups (2.41), because their text is visible only after a click.
 */
export class CreateHints {
	private readonly unmatched = new Map<string, Form>();
	private readonly reserved = new Map<string, Form>();
	private readonly repaired = new Set<string>();
	private readonly suspicious = new Map<
		SuspiciousValue['kind'],
		{ shown: SuspiciousValue[]; count: number }
	>();
	private readonly created: CreatedFacts[] = [];
	/** Expressions that returned undefined for every row so far, or that read a column that no row has. */
	private unfilled: readonly FieldExpression[];
	private rowsLeft: number;

	constructor(ofRows: readonly FieldExpression[], rowCount: number) {
		this.unfilled = rowCount === 0 ? [] : ofRows;
		this.rowsLeft = rowCount;
	}

	addRows(rows: readonly Row[]): void {
		this.rowsLeft -= rows.length;
		for (const name of rows.flatMap((row) => row.repaired ?? [])) this.repaired.add(`"${name}"`);
		this.unfilled = this.unfilled.filter(({ part, name, lacksColumn }) =>
			rows.every((row) => {
				const fields = row[part];
				return fields !== undefined && (lacksColumn || fields[name] === undefined);
			}),
		);
	}

	addRequest(
		form: Form,
		{
			unmatched,
			reserved,
			suspicious,
		}: Pick<CreateRequest, 'unmatched' | 'reserved' | 'suspicious'>,
	): void {
		for (const column of unmatched) this.unmatched.set(column, form);
		for (const column of reserved) this.reserved.set(column, form);
		for (const [kind, ofKind] of groupBy(suspicious, (suspect) => suspect.kind)) {
			const { shown = [], count = 0 } = this.suspicious.get(kind) ?? {};
			const room = SHOWN_SUSPICIOUS - shown.length;
			this.suspicious.set(kind, {
				shown: [...shown, ...ofKind.slice(0, room)],
				count: count + ofKind.length,
			});
		}
	}

	/**
	 * Adds an inspection that was created or already existed. `redact` removes the API key from the service's warnings.
	 */
	addCreated(
		{ already_existed, unstored_responses, warnings }: CreatedInspection,
		redact: ((text: string) => string) | undefined,
	): void {
		const shown = warnings.map((warning) => {
			const beginning = warning.slice(0, MAX_SEARCHED);
			return redact?.(beginning) ?? beginning;
		});
		this.created.push({ already_existed, unstored_responses, warnings: shown });
	}

	/** Returns the hints of a run. `total` is the number of inspections in the run. */
	hints(total: number): Hint[] {
		const { reserved, repaired, unfilled } = this;
		const byForm = [...groupBy(reserved.keys(), (column) => reserved.get(column))];
		const reservedFixes = byForm.flatMap(
			([form, names]) => form && reservedColumnsFix(form, names),
		);
		const repairedText = `Characters such as – and € were repaired in ${listOf(repaired)}: the file has the encoding Windows-1252, but was read as Latin1. Earlier nodes still output the broken characters. To avoid that, save the file from Excel as "CSV UTF-8".`;
		const empty = `No row has a value for ${expressionList(unfilled)}. Fields with only this expression weren't sent. Fields that also contain other text were sent without the value. Check that the rows have the columns in these expressions.`;
		return [
			...createdHints(this.created, total),
			...hintOf(reserved.size, 'warning', reservedFixes.join('. ')),
			...this.suspiciousHints(),
			...hintOf(repaired.size, 'info', repairedText),
			// Leave out this hint if some rows weren't read, because those rows may have the values.
			...hintOf(this.rowsLeft > 0 ? 0 : unfilled.length, 'warning', empty),
		];
	}

	/** Returns the hint on columns that match no question. It's shown last, because most sheets have such columns. */
	ignoredHints(): Hint[] {
		const { size } = this.unmatched;
		const columns = [...this.unmatched].slice(0, HINTED_NAMES);
		const named = columns.flatMap(([column, form]) => namedColumns(form, [column]));
		const verb = size === 1 ? 'matches' : 'match';
		return hintOf(size, 'info', `Ignored: ${listText(named, size)} ${verb} no question.`);
	}

	/**
	 * Returns hints for new users about a test run. Empty if no inspection was created. `isSet` is true for fields that
	 * the user filled in.
	 */
	hintsToBeginners(isSet: { name: boolean; uniqueKey: boolean }): Hint[] {
		const count = this.created.filter((inspection) => !inspection.already_existed).length;
		const these = count === 1 ? 'this inspection' : `these ${String(count)} inspections`;
		const all = count === 1 ? 'this inspection' : `all ${String(count)} inspections`;
		const named = `"Name" is empty, so the service named ${these} after the template and the time.`;
		const again = `"Unique Key" is empty. If you run this again, the node creates ${all} again.`;
		return [
			...hintOf(isSet.name ? 0 : count, 'info', named),
			...hintOf(isSet.uniqueKey ? 0 : count, 'info', again),
		];
	}

	private suspiciousHints(): Hint[] {
		const listed = (
			kind: SuspiciousValue['kind'],
			more: (suspect: SuspiciousValue) => string = () => '',
		) => {
			const { shown = [], count = 0 } = this.suspicious.get(kind) ?? {};
			const texts = shown.map((suspect) => suspiciousText(suspect) + more(suspect));
			return { shown, count, list: listText(texts, count, '; ') };
		};
		const failed = listed('failed value');
		const garbled = listed('encoding');
		const numbers = listed('spreadsheet number', ({ message }) => ` (${message})`);
		const totals = listed('total');
		const fixes = new Set(garbled.shown.map(({ fix }) => fix));
		return [
			...hintOf(
				failed.count,
				'warning',
				`A failed formula or expression left these values, and Create sends them unchanged: ${failed.list}. Fix the cells, or the expression.`,
			),
			...hintOf(
				garbled.count,
				'warning',
				`${[...fixes].join('. ')}. Create sends these values unchanged: ${garbled.list}`,
			),
			...hintOf(
				totals.count,
				'warning',
				`${totals.count === 1 ? '1 row looks like a total' : `${String(totals.count)} rows look like totals`}, and Create doesn't leave out such rows: ${totals.list}. Remove totals with a Filter node before this one.`,
			),
			...hintOf(
				numbers.count,
				'info',
				`Text questions received numbers that might be dates or times: ${numbers.list}. If they are, format the column as text in Excel.`,
			),
		];
	}
}

function suspiciousText({ subject, rows, value }: SuspiciousValue): string {
	return `${subject} in row ${String(rows[0])}: ${value}`;
}

function createdHints(created: readonly CreatedFacts[], total: number): Hint[] {
	const existed = created.filter((inspection) => inspection.already_existed);
	const compared = created.filter((inspection) => !inspection.already_existed);
	const incomplete = compared.filter(({ unstored_responses: left }) => left?.length);
	const uncompared = compared.filter(({ unstored_responses: left }) => left === null);
	const warned = created.filter(({ warnings }) => warnings.length > 0);
	const unstored = incomplete.flatMap(({ unstored_responses: left }) => left ?? []);
	const labels = new Set(unstored.map(({ label }) => `"${textOf(label) ?? ''}"`));
	const warnings = [...new Set(warned.flatMap((inspection) => inspection.warnings))];
	const more = warnings.length - SHOWN_WARNINGS;
	const shown = warnings.slice(0, SHOWN_WARNINGS).join(' · ');
	const share = (some: readonly CreatedFacts[], type: Hint['type'], text: string) => {
		const inspections = total === 1 ? 'inspection' : 'inspections';
		const message = `${String(some.length)} of ${String(total)} ${inspections}: ${text}`;
		return hintOf(some.length, type, message);
	};
	const existedOf = `${String(existed.length)} of ${String(total)} ${total === 1 ? 'inspection' : 'inspections'}`;
	const unchecked =
		"the service's response contained no answers, so the stored answers couldn't be checked";
	const others = more > 0 ? ` · ${String(more)} more under "warnings"` : '';
	return [
		...share(incomplete, 'warning', `the service didn't store the answers to ${listOf(labels)}`),
		...share(uncompared, 'info', unchecked),
		...hintOf(
			existed.length,
			'info',
			`${existedOf} already existed (same unique key): nothing was sent for ${existed.length === 1 ? 'it' : 'them'}.`,
		),
		...share(warned, 'warning', `warnings: ${shown}${others}`),
	];
}

function hintOf(count: number, type: Hint['type'], message: string): Hint[] {
	return count === 0 ? [] : [{ message, type }];
}

function listOf(names: ReadonlySet<string>): string {
	return listText([...names].slice(0, HINTED_NAMES), names.size);
}
