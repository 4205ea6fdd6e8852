import type { IExecuteFunctions } from 'n8n-workflow';

import type { Row } from '../../domain/create/draft';
import type { JsonRecord } from '../../domain/json';
import { nearestName } from '../../domain/nearestName';
import { saysNothing } from '../../domain/plainText';
import type { Problem } from '../../domain/problem';
import { isAddedByN8n } from '../../domain/rowKeys';
import { listText } from '../../domain/shownText';
import type { Form } from '../../domain/template/form';
import { expressionOf, membersOf } from '../../fields/parameterValue';
import type { Hint } from '../hints';
import { columnsIn, OF_ROW } from './createExpressions';
import { additionalFields } from './createFields';
import { isAutoMapped } from './createRows';

/** Fields or columns that a message names: some lines of n8n's panel. */
const SHOWN_NAMES = 12;
/** Rows whose columns are named. An Excel file leaves the empty cells of a row out, so the first row is not enough. */
const LOOKED_AT = 100;

/** Expressions by the id of the question, or the name of the field, that they fill. */
type Expressions = Map<string, string>;

/**
 * The problem of a run in which not one row gives a value for any question that is mapped by hand: most likely the
 * expressions name columns that the sheet does not have. Undefined where some row gives one.
 */
export function mappedInVain(
	context: IExecuteFunctions,
	places: readonly number[],
): ((form: Form) => Problem) | undefined {
	if (places.length === 0 || isAutoMapped(context)) return undefined;
	const raw = membersOf(context.getNodeParameter('responses', 0, {}, { rawExpressions: true }));
	const expressions = expressionsById(membersOf(raw.value));
	if (expressions.size === 0 || places.some((place) => givesValue(context, place)))
		return undefined;
	const input = context.getInputData();
	const rows = places.slice(0, LOOKED_AT).map((place) => input[place]?.json ?? {});
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
		(column) => !isAddedByN8n(column),
	);
	const meant = (expression: string) => {
		const gone = columnsIn(expression).find((column) => !columns.includes(column));
		const near = gone === undefined ? undefined : nearestName(gone, columns);
		return near === undefined ? '' : `, did you mean "${near}"?`;
	};
	return (form) => {
		const named = shownExpressions(
			[...expressions].map(([id, text]) => [nameIn(form, id), `${text}${meant(text)}`]),
		);
		const there = columns.slice(0, SHOWN_NAMES).map((column) => `"${column}"`);
		const have =
			there.length === 0 ? 'no columns' : `the columns ${listText(there, columns.length)}`;
		const wrong = `No row gives a value for a question that is mapped: ${named}. The rows have ${have}; map the questions to these, or choose "Map Automatically"`;
		return { wrong, kind: 'mapped in vain' };
	};
}

/** True also where an expression cannot be worked out: the error about it comes when the row is read. */
function givesValue(context: IExecuteFunctions, place: number): boolean {
	try {
		const { value } = membersOf(context.getNodeParameter('responses', place, {}));
		return Object.values(membersOf(value)).some((given) => !saysNothing(given));
	} catch {
		return true;
	}
}

/**
 * The answers and Additional Fields whose expression takes a column and gave undefined for every row. Most likely it names
 * a column that has another name in the sheet, and the user would not notice that nothing is sent. A single row without
 * a value is no mistake, because n8n leaves the empty cells of a sheet out.
 */
export class UnfilledExpressions {
	private readonly answers: Expressions;
	private readonly details: Expressions;
	private readonly itemCount: number;
	private seenItems = 0;
	private form: Form | undefined;

	/** `items` is the number of items that are to be looked at. */
	constructor(context: IExecuteFunctions, items: number) {
		const rawOf = (name: string) =>
			membersOf(context.getNodeParameter(name, 0, {}, { rawExpressions: true }));
		this.itemCount = items;
		this.answers = expressionsById(membersOf(rawOf('responses').value), OF_ROW);
		this.details = expressionsById(rawOf('additionalFields'), OF_ROW);
	}

	/** Looks at the values of one row. */
	addRow({ mapped, values, additionalFields: details }: Row, form: Form): void {
		this.seenItems += 1;
		this.form ??= form;
		if (mapped !== undefined) forgetFilled(this.answers, values);
		forgetFilled(this.details, details);
	}

	/** One hint, or none. There is none where some item was not looked at, because that item may have had the values. */
	hints(): Hint[] {
		const { form, answers, details } = this;
		if (form === undefined || this.seenItems < this.itemCount) return [];
		if (answers.size + details.size === 0) return [];
		const shown = shownExpressions([
			...[...answers].map(([id, expression]) => [nameIn(form, id), expression] as const),
			...[...details].map(([name, expression]) => [memberLabel(name), expression] as const),
		]);
		const message = `No row gave a value for ${shown}: not sent. Check that the rows have the columns that these expressions name.`;
		return [{ message, type: 'warning' }];
	}
}

function nameIn(form: Form, id: string): string {
	return form.columnOf(id)?.name ?? id;
}

/** `"Weather" ({{ $json.Wetter }}), "Date" ({{ $json.Datum }})`. */
function shownExpressions(
	filled: readonly (readonly [name: string, expression: string])[],
): string {
	const shown = filled.slice(0, SHOWN_NAMES).map(([name, text]) => `"${name}" (${text})`);
	return listText(shown, filled.length);
}

function expressionsById(raw: JsonRecord, wanted = /(?:)/): Expressions {
	return new Map(
		Object.entries(raw).flatMap(([name, given]) => {
			const expression = expressionOf(given);
			return expression !== undefined && wanted.test(expression) ? [[name, expression]] : [];
		}),
	);
}

function forgetFilled(expressions: Expressions, values: Readonly<Record<string, unknown>>): void {
	for (const name of expressions.keys()) {
		if (values[name] !== undefined) expressions.delete(name);
	}
}

/** What the editor calls a member of Additional Fields. */
function memberLabel(name: string): string {
	const member = additionalFields().options?.find((option) => option.name === name);
	return member !== undefined && 'displayName' in member ? member.displayName : name;
}
