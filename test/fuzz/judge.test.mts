import { type INode, NodeOperationError } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { faultOf, type Judged } from './judge.mts';

const about = { id: '1', name: 'Node', type: 'node', typeVersion: 1, parameters: {} };
const node: INode = { ...about, position: [0, 0] };
const shown = (error: Error | string) => ({ error: new NodeOperationError(node, error) });
const circular: Record<string, unknown> = {};
circular.itself = circular;

test.each<[string, Judged, RegExp]>([
	['an unspecific error', { error: new TypeError('x is odd') }, /throws TypeError/],
	['a wrapped error', shown(new RangeError('odd')), /shows RangeError/],
	['raw words', shown('value is undefined'), /raw words/],
	['markup', shown('No <img src=x>'), /markup/],
	['control characters', shown('No \u001b[31m'), /control characters/],
	['an error without a message', shown(' '), /without a message/],
	['a result that n8n cannot store', { value: circular }, /cannot be stored/],
	['an object as text', { value: [{ name: '[object Object]' }] }, /object Object/],
	['markup in a hint', { value: { items: [], hints: [{ message: '<b>' }] } }, /markup/],
	['nothing in a clear error', shown('The template was not found'), /^$/],
	['nothing in a plain result', { value: [{ name: 'x' }] }, /^$/],
])('the fuzz judge detects %s', (_what, outcome, fault) => {
	expect(faultOf(outcome) ?? '').toMatch(fault);
});
