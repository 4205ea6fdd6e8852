import type { CreatedInspection } from '../../domain/create/createdInspection';
import type { CreateRequest } from '../../domain/create/createRequest';
import { sheetErrorIn } from '../../domain/create/groupRows';
import { reservedCure } from '../../domain/create/reservedColumns';
import type { Row } from '../../domain/create/sheetRow';
import { ENCODING_CURE, hasLostCharacters, namedColumns } from '../../domain/create/unusedColumns';
import { groupBy } from '../../domain/groupBy';
import { jsonText, textOf } from '../../domain/json';
import { listText } from '../../domain/shownText';
import type { Form } from '../../domain/template/form';
import type { Hint } from '../hints';
import { expressionList, type FieldExpression } from './createExpressions';

/** What JavaScript writes into a text for a value that is not there, or for one that is no text. */
const GAP_IN_TEXT = /\bundefined\b|\[object \w+\]/;
/** Columns and questions that a hint names. */
const HINTED_NAMES = 20;
/** The output items have all of them. */
const SHOWN_WARNINGS = 3;

/**
 * What a run of Create has to say above its output. It holds no rows: there may be thousands. At most one hint of a kind.
 * n8n's groups of hints (2.41) are not used: they show their text only after a click.
 */
export class CreateHints {
	private readonly unmatched = new Map<string, Form>();
	private readonly reserved = new Map<string, Form>();
	private readonly garbled = new Set<string>();
	private readonly failed = new Set<string>();
	private readonly created: CreatedInspection[] = [];
	private bareRows = 0;
	/** The expressions that gave undefined for every row so far, or a text with a gap: the sheet has no such column. */
	private unfilled: readonly FieldExpression[];
	private rowsLeft: number;

	constructor(ofRows: readonly FieldExpression[], rowCount: number) {
		this.unfilled = rowCount === 0 ? [] : ofRows;
		this.rowsLeft = rowCount;
	}

	addRows(rows: readonly Row[]): void {
		this.rowsLeft -= rows.length;
		this.unfilled = this.unfilled.filter(({ part, name, lacksColumn }) =>
			rows.every((row) => {
				const fields = row[part];
				return fields !== undefined && (lacksColumn || fields[name] === undefined);
			}),
		);
	}

	addRequest(form: Form, { body, unmatched, reserved, sent }: CreateRequest): void {
		for (const column of unmatched) this.unmatched.set(column, form);
		for (const column of reserved) this.reserved.set(column, form);
		for (const { question, value } of sent) {
			if (typeof value !== 'string') continue;
			if (hasLostCharacters(value)) this.garbled.add(`"${question.name}"`);
			if (sheetErrorIn(value) === value) this.failed.add(`"${question.name}"`);
		}
		for (const [name, value] of Object.entries(body)) {
			if (name === 'data') continue;
			const text = jsonText(value) ?? '';
			const label = `"${name.replace('_', ' ')}"`;
			if (hasLostCharacters(text)) this.garbled.add(label);
			if (sheetErrorIn(text) !== undefined || GAP_IN_TEXT.test(text)) this.failed.add(label);
		}
	}

	addCreated(created: CreatedInspection, isRow: boolean): void {
		this.created.push(created);
		if (isRow && created.data === undefined) this.bareRows += 1;
	}

	/** The hints of a run with so many inspections. */
	hints(total: number): Hint[] {
		const { bareRows, unmatched, reserved, garbled, failed, unfilled } = this;
		const columns = [...unmatched].slice(0, HINTED_NAMES);
		const named = columns.flatMap(([column, form]) => namedColumns(form, [column]));
		const bare = `${bareRows === 1 ? '1 row has' : `${String(bareRows)} rows have`} no answers, because the service did not send them: the inspection existed already, or only its ID came. Inspection → Get with the output Row has them.`;
		const ignored = `No question of the template goes by ${listText(named, unmatched.size)}: not sent`;
		const byForm = [...groupBy(reserved.keys(), (column) => reserved.get(column))];
		const notTaken = byForm.flatMap(([form, names]) => form && reservedCure(form, names));
		const lost = `${ENCODING_CURE}. See ${listOf(garbled)}`;
		const wrong = `What a failed formula or an empty cell leaves in a text, such as #N/A or undefined, was sent in ${listOf(failed)}. Correct the formula or the expression, or let it give an empty text.`;
		const empty = `No row gave a value for ${expressionList(unfilled)}: not sent, or sent with a gap. Check that the rows have the columns that these expressions name.`;
		return [
			...hintOf(bareRows, 'info', bare),
			...createdHints(this.created, total),
			...hintOf(unmatched.size, 'info', ignored),
			...hintOf(reserved.size, 'warning', notTaken.join('. ')),
			...hintOf(garbled.size, 'warning', lost),
			...hintOf(failed.size, 'warning', wrong),
			// A row that was not looked at may have had the values.
			...hintOf(this.rowsLeft > 0 ? 0 : unfilled.length, 'warning', empty),
		];
	}
}

function createdHints(created: readonly CreatedInspection[], total: number): Hint[] {
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
	const share = (some: readonly CreatedInspection[], type: Hint['type'], text: string) => {
		const inspections = total === 1 ? 'inspection' : 'inspections';
		const message = `${String(some.length)} of ${String(total)} ${inspections}: ${text}`;
		return hintOf(some.length, type, message);
	};
	const unchecked =
		'the service’s response carried no answers, so that what was stored could not be checked';
	const others = more > 0 ? ` · ${String(more)} more under "warnings"` : '';
	return [
		...share(incomplete, 'warning', `the service did not store the answers to ${listOf(labels)}`),
		...share(uncompared, 'info', unchecked),
		...share(
			existed,
			'info',
			'existed already by their unique key: not created again, and nothing of their rows was sent',
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
