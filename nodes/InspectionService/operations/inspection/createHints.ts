import type { CreatedInspection } from '../../domain/create/createdInspection';
import type { CreateRequest } from '../../domain/create/createRequest';
import type { Row } from '../../domain/create/rowAnswers';
import { ENCODING_CURE, hasLostCharacters, namedColumns } from '../../domain/create/unusedColumns';
import { textOf } from '../../domain/json';
import { listText } from '../../domain/shownText';
import type { Form } from '../../domain/template/form';
import type { Hint } from '../hints';
import { expressionList, type FieldExpression } from './createExpressions';

/** Columns and questions that a hint names. */
const HINTED_NAMES = 20;
const SHOWN_WARNINGS = 3;

/**
 * What a run of Create has to say above its output. It holds no rows: there may be thousands. At most one hint of a kind.
 * n8n's groups of hints (2.41) are not used: they show their text only after a click.
 */
export class CreateHints {
	private readonly unmatched = new Map<string, Form>();
	private readonly ownColumns = new Set<string>();
	private readonly garbled = new Set<string>();
	private readonly created: CreatedInspection[] = [];
	private bareRows = 0;
	/** The expressions that gave undefined for every row so far: the sheet has no such column. */
	private unfilled: readonly FieldExpression[];
	private rowsLeft: number;

	constructor(ofRows: readonly FieldExpression[], rowCount: number) {
		this.unfilled = rowCount === 0 ? [] : ofRows;
		this.rowsLeft = rowCount;
	}

	addRows(rows: readonly Row[]): void {
		this.rowsLeft -= rows.length;
		this.unfilled = this.unfilled.filter(({ part, name }) =>
			rows.every((row) => row[part][name] === undefined),
		);
	}

	addRequest(form: Form, { unmatched, ownColumns, sent }: CreateRequest): void {
		for (const column of unmatched) this.unmatched.set(column, form);
		for (const column of ownColumns) this.ownColumns.add(column);
		for (const { question, value } of sent) {
			if (typeof value === 'string' && hasLostCharacters(value)) {
				this.garbled.add(`"${question.name}"`);
			}
		}
	}

	addCreated(created: CreatedInspection, isRow: boolean): void {
		this.created.push(created);
		if (isRow && created.data === undefined) this.bareRows += 1;
	}

	/** The hints of a run with so many inspections. */
	hints(total: number): Hint[] {
		const hints = this.createdHints(total);
		if (this.bareRows > 0) {
			const count = this.bareRows === 1 ? '1 row has' : `${String(this.bareRows)} rows have`;
			const message = `${count} no answers, because the service did not send them: the inspection existed already, or the service tells only its ID. Inspection → Get with the output Row has them.`;
			hints.unshift({ message, type: 'info' });
		}
		if (this.unmatched.size > 0) {
			const first = [...this.unmatched].slice(0, HINTED_NAMES);
			const shown = first.flatMap(([column, form]) => namedColumns(form, [column]));
			const message = `No question of the template goes by ${listText(shown, this.unmatched.size)}: not sent`;
			hints.push({ message, type: 'info' });
		}
		if (this.ownColumns.size > 0) {
			const message = `Not taken as answers, though questions are called so: ${listOf(this.ownColumns)}. The rows of Get Many have columns of their own under these names. Map the columns one by one to use them`;
			hints.push({ message, type: 'warning' });
		}
		if (this.garbled.size > 0) {
			const message = `${ENCODING_CURE}. See the answers to ${listOf(this.garbled)}`;
			hints.push({ message, type: 'warning' });
		}
		// A row that was not looked at may have had the values.
		if (this.rowsLeft === 0 && this.unfilled.length > 0) {
			const message = `No row gave a value for ${expressionList(this.unfilled)}: not sent. Check that the rows have the columns that these expressions name.`;
			hints.push({ message, type: 'warning' });
		}
		return hints;
	}

	private createdHints(total: number): Hint[] {
		const { created } = this;
		const existed = created.filter((inspection) => inspection.already_existed);
		const compared = created.filter((inspection) => !inspection.already_existed);
		const incomplete = compared.filter(({ unstored_responses: left }) => left?.length);
		const uncompared = compared.filter(({ unstored_responses: left }) => left === null);
		const warned = created.filter(({ warnings }) => warnings.length > 0);
		const labels = incomplete.flatMap(({ unstored_responses: left }) =>
			(left ?? []).map(({ label }) => `"${textOf(label) ?? ''}"`),
		);
		const warnings = [...new Set(warned.flatMap((inspection) => inspection.warnings))];
		const more = warnings.length - SHOWN_WARNINGS;
		const shown = warnings.slice(0, SHOWN_WARNINGS).join(' · ');
		const told = `${shown}${more > 0 ? ` · ${String(more)} more under "warnings"` : ''}`;
		const all: [readonly CreatedInspection[], string, Hint['type']][] = [
			[
				incomplete,
				`the service did not store the answers to ${listOf(new Set(labels))}`,
				'warning',
			],
			[
				uncompared,
				'the service’s response carried no answers, so that what was stored could not be checked',
				'info',
			],
			[existed, 'existed already by their unique key and were not created again', 'info'],
			[warned, `warnings: ${told}`, 'warning'],
		];
		return all.flatMap(([some, text, type]) => {
			if (some.length === 0) return [];
			const share = `${String(some.length)} of ${String(total)} ${total === 1 ? 'inspection' : 'inspections'}`;
			return [{ message: `${share}: ${text}`, type }];
		});
	}
}

function listOf(names: ReadonlySet<string>): string {
	return listText([...names].slice(0, HINTED_NAMES), names.size);
}
