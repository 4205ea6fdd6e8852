import type { IExecuteFunctions } from 'n8n-workflow';

import { shownValue } from '../../domain/answer/shownValue';
import { InputError } from '../../domain/inputError';
import { type JsonRecord, recordsOf } from '../../domain/json';
import type { Problem } from '../../domain/problem';
import { expressionOf, membersOf } from '../../fields/parameterValue';

/**
 * The mapper for an item, with its expressions worked out. It is read whole, because for `responses.value` n8n (2.41)
 * checks each value against its column's type and refuses an array of choices.
 * @throws InputError that names the questions whose expression cannot be worked out: n8n says no more than "invalid syntax"
 */
export function mapperOf(context: IExecuteFunctions, item: number): JsonRecord {
	let cause: unknown;
	try {
		return membersOf(context.getNodeParameter('responses', item, {}));
	} catch (error) {
		cause = error;
	}
	const problems = brokenExpressions(context, item);
	throw problems.length === 0 ? cause : InputError.ofRow(problems);
}

/** The names of the mapper's columns, by their ids. The editor saves them with the workflow. */
export function columnLabels(mapper: JsonRecord): Map<string, string> {
	const columns = recordsOf(mapper.schema);
	return new Map(columns.map(({ id, displayName }) => [String(id), String(displayName)]));
}

function brokenExpressions(context: IExecuteFunctions, item: number): Problem[] {
	const raw = membersOf(context.getNodeParameter('responses', item, {}, { rawExpressions: true }));
	const labels = columnLabels(raw);
	return Object.entries(membersOf(raw.value)).flatMap(([id, value]): Problem[] => {
		const expression = expressionOf(value);
		const reason = expression === undefined ? undefined : whyBroken(context, expression, item);
		if (expression === undefined || reason === undefined) return [];
		return [{ subject: `"${labels.get(id) ?? id}"`, wrong: wrongWith(expression, reason) }];
	});
}

/** Why an expression cannot be worked out for an item; undefined where it can. */
function whyBroken(
	context: IExecuteFunctions,
	expression: string,
	item: number,
): string | undefined {
	try {
		context.evaluateExpression(expression, item);
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** A column's name with a line break in it, as n8n (2.41) writes it where such a column is dragged into a field. */
const BROKEN_NAME = /\[\s*(["'])([^"'\]]*[\r\n][^"'\]]*)\1\s*\]/;

function wrongWith(expression: string, reason: string): string {
	const [, , name] = BROKEN_NAME.exec(expression) ?? [];
	if (name === undefined) {
		return `its expression ${shownValue(expression)} cannot be worked out (${reason}); correct it`;
	}
	const column = shownValue(name.replace(/\s+/g, ' '));
	return `the header of the column ${column} has a line break, and n8n cannot read such a name in an expression; write the header in one line and drag the column again, or choose "Map Automatically"`;
}
