import { type INode, NodeOperationError } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { faultOf, outcomeOf } from './judge.mts';

const node: INode = {
	id: '1',
	name: 'Node',
	type: 'node',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const circular: Record<string, unknown> = {};
circular.itself = circular;
const faultOfError = async (error: unknown) =>
	faultOf(
		await outcomeOf(async () => {
			throw error;
		}),
	);

test.each([
	['an error of its own', new TypeError('x is odd'), /throws TypeError/],
	['a wrapped one', new NodeOperationError(node, new RangeError('odd')), /shows RangeError/],
	['raw words', new NodeOperationError(node, 'value is undefined'), /raw words/],
	['markup', new NodeOperationError(node, 'No <img src=x>'), /markup/],
	['control characters', new NodeOperationError(node, 'No \u001b[31m'), /control characters/],
	['no message', new NodeOperationError(node, ' '), /without a message/],
])('the judge of the fuzz sees %s', async (_name, error, fault) => {
	expect(await faultOfError(error)).toMatch(fault);
});

test.each([
	['that n8n cannot store', circular],
	['with an object as text', [{ name: '[object Object]' }]],
	['with markup in a hint', { items: [], hints: [{ message: '<b>' }] }],
])('the judge of the fuzz sees a result %s', async (_name, value) => {
	expect(faultOf(await outcomeOf(async () => value))).toBeDefined();
});

test('the judge of the fuzz lets clear errors and plain results pass', async () => {
	expect(await faultOfError(new NodeOperationError(node, 'The template was not found'))).toBe(
		undefined,
	);
	expect(faultOf(await outcomeOf(async () => [{ name: 'x' }]))).toBeUndefined();
});
