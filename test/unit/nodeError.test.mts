import fc from 'fast-check';
import { NodeOperationError } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { textOfHtml } from '#connector/domain/formatting.ts';
import { InputError } from '#connector/domain/inputError.ts';
import { RequestFailure } from '#connector/domain/request/requestFailure.ts';
import { UnexpectedResponseError } from '#connector/domain/unexpectedResponse.ts';
import { thrownError } from '#connector/output/nodeError.ts';

const NODE = {
	id: 'node',
	name: 'Inspections',
	type: 'test',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

/** Random strings as cells and services contain them, with the words that n8n searches for in errors. */
const quoted = fc
	.array(fc.constantFrom('canceled', 'cancelled', 'Canceled', 'can', 'celed', ' ', '"', 'Gate 4'), {
		minLength: 1,
		maxLength: 12,
	})
	.map((parts) => parts.join(''));

const thrown = quoted.chain((text) =>
	fc.constantFrom<unknown>(
		new InputError(`Status: ${text} is not one of new, canceled`),
		new InputError('2 things to correct', [`Status: ${text}`, `Date: ${text}`]),
		new RequestFailure({ message: `The service said: ${text}`, description: `Write ${text}.` }),
		new UnexpectedResponseError(`The list has no ${text}`),
		new NodeOperationError(NODE, `Invalid input for ${text}`),
		new Error(text),
		text,
	),
);

test('no message that leaves a node contains the word that makes n8n store a run as canceled', () => {
	fc.assert(
		fc.property(thrown, (cause) => {
			const { message } = thrownError(NODE, cause);
			expect(message).not.toContain('canceled');
			expect(message).not.toContain('cancelled');
		}),
	);
});

test('the description starts with the original message if the message had to be changed', () => {
	const cause = new InputError('"canceled on" has <no> date', ['Row 3: "canceled"']);
	const { message, description } = thrownError(NODE, cause);
	expect(message).toBe('"Canceled on" has <no> date'.replace('<n', '‹n'));
	expect(textOfHtml(description ?? '')).toBe('"canceled on" has ‹no> date Row 3: "canceled"');
});

test('an error without the word stays unchanged', () => {
	const { message, description } = thrownError(NODE, new InputError('Status: "Open" is unknown'));
	expect(message).toBe('Status: "Open" is unknown');
	expect(description).toBeUndefined();
});
