import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { type JsonRecord, recordsOf } from '../../domain/json';
import { listText } from '../../domain/listText';
import { memberLabel } from '../../fields/memberLabel';
import { expressionOf, membersOf } from '../../fields/parameterValue';
import { additionalFields } from './createAdditionalFields';

/** Fields that a hint names; a template may have many more. */
const SHOWN_FIELDS = 12;

/** What an item gives for fields, by their names. */
type GivenFields = Readonly<Record<string, unknown>>;

/** A field that is filled by an expression, such as `{{ $json.Workers }}`. */
interface FilledField {
	label: string;
	expression: string;
}

/**
 * The answers and Additional Fields whose expression gave undefined for every row: most likely it names a column that the
 * sheet calls otherwise, and without a word nothing would be sent for it. One row without a value is no mistake, because
 * n8n leaves the empty cells of a sheet out.
 */
export class UnfilledExpressions {
	private readonly answers: Map<string, FilledField>;
	private readonly details: Map<string, FilledField>;
	private unseenItems: number;

	/** `items` is how many of the input are to be looked at. */
	constructor(context: IExecuteFunctions, items: number) {
		const rawOf = (name: string) =>
			membersOf(context.getNodeParameter(name, 0, {}, { rawExpressions: true }));
		const mapper = rawOf('responses');
		const questions = new Map(
			recordsOf(mapper.schema).map(({ id, displayName }) => [String(id), String(displayName)]),
		);
		this.unseenItems = items;
		this.answers = filledFields(membersOf(mapper.value), (id) => questions.get(id) ?? id);
		this.details = filledFields(rawOf('additionalFields'), (name) =>
			memberLabel(additionalFields(), name),
		);
	}

	/** Looks at what one item gives; `answers` are the mapper's columns. */
	addItem(answers: GivenFields, details: GivenFields): void {
		this.unseenItems -= 1;
		forgetFilled(this.answers, answers);
		forgetFilled(this.details, details);
	}

	/** None where an item was not looked at: it may have had the values. */
	hints(): NodeExecutionHint[] {
		const fields = [...this.answers.values(), ...this.details.values()];
		if (fields.length === 0 || this.unseenItems > 0) return [];
		const shown = fields
			.slice(0, SHOWN_FIELDS)
			.map(({ label, expression }) => `"${label}" (${expression})`);
		const message = `No row gave a value for ${listText(shown, fields.length)}: not sent. Check that the rows have the columns that these expressions name.`;
		return [{ message, type: 'warning', location: 'outputPane' }];
	}
}

function filledFields(
	raw: JsonRecord,
	labelOf: (name: string) => string,
): Map<string, FilledField> {
	return new Map(
		Object.entries(raw).flatMap(([name, given]) => {
			const expression = expressionOf(given);
			return expression === undefined
				? []
				: [[name, { label: labelOf(name), expression }] as const];
		}),
	);
}

function forgetFilled(fields: Map<string, FilledField>, values: GivenFields): void {
	for (const name of fields.keys()) {
		if (values[name] !== undefined) fields.delete(name);
	}
}
