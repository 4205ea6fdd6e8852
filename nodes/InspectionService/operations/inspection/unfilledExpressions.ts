import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import type { Row } from '../../domain/create/draft';
import { type JsonRecord, recordsOf } from '../../domain/json';
import { listText } from '../../domain/shownText';
import { memberLabel } from '../../fields/collection';
import { expressionOf, membersOf } from '../../fields/parameterValue';
import { additionalFields } from './createAdditionalFields';

/** Fields that a hint names. Chosen: a template may have many more. */
const SHOWN_FIELDS = 12;

/** The values of an item's fields, by the fields' names. */
type GivenFields = Readonly<Record<string, unknown>>;

/** A field that is filled by an expression, such as `{{ $json.Workers }}`. */
interface FilledField {
	label: string;
	expression: string;
}

/**
 * The answers and Additional Fields whose expression gave undefined for every row. Most likely such an expression names a
 * column that has another name in the sheet, and the user would not notice that nothing is sent. A single row without a
 * value is no mistake, because n8n leaves the empty cells of a sheet out.
 */
export class UnfilledExpressions {
	private readonly answers: Map<string, FilledField>;
	private readonly details: Map<string, FilledField>;
	private unseenItems: number;

	/** `items` is the number of items that are to be looked at. */
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

	/** Looks at the values of one row. */
	addRow({ mapped, values, additionalFields: details }: Row): void {
		this.unseenItems -= 1;
		if (mapped !== undefined) forgetFilled(this.answers, values);
		forgetFilled(this.details, details);
	}

	/** One hint, or none. There is none where some item was not looked at, because that item may have had the values. */
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
