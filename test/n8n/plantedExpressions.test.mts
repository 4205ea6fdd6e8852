// @module-tag slow
/**
 * Tests texts from the service that n8n would evaluate as expressions, in everything that the editor receives and can
 * save.
 */
import fc from 'fast-check';
import type { INodeExecutionData, INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { literalValue } from '#connector/methods/literalValue.ts';
import { text } from '#harness/controls.mts';
import {
	executeNode,
	loadOptionsContext,
	oneNodeWorkflow,
	questionColumns,
	searchList,
} from '#harness/inspectionNodes.mts';
import {
	createParameters,
	getManyParameters,
	mapColumns,
	templateById,
} from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { JsonRecord } from '#sandbox/json.mts';

const { sandbox, credential } = await sandboxForTests();
const GUID = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f';

const bare = { parameters: {}, credential };
const { workflow, node } = await oneNodeWorkflow('inspectionService', bare);
/** The input data, which an injected expression could read. */
const INPUT: INodeExecutionData[] = [{ json: { secret: 's3' } }];
/** Returns the value of a parameter as n8n evaluates it when the node runs. */
const evaluated = (value: NodeParameterValueType) =>
	workflow.expression.getParameterValue(value, null, 0, 0, node.name, INPUT, 'manual', {});
/** Returns a choice as n8n's editor (2.41) saves it: a text that contains both `{{` and `}}` becomes an expression. */
const picked = (value: string) =>
	!value.startsWith('=') && value.includes('{{') && value.includes('}}') ? `=${value}` : value;

const VISIBLE =
	'= {{ }} { } . \\ " \' ` ${ // /* ?. x 1 😀 .first() constructor $json.secret $env'.split(' ');
const PARTS = [...VISIBLE, ' ', '\n', '\u2028', '\u2029', '\ud800'];
const planted = fc.oneof(
	fc.constant('={{ $json.secret }}'),
	fc.constant('={{ "".constructor }}'),
	fc.string(),
	fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join('')),
);

test.each([
	['=10 mm', '==10 mm'],
	['={{ key }}', '={{ "={" + "{ key }" + "}" }}'],
	['{ x } = 1', '{ x } = 1'],
])('passes %s to the editor as %s', (choice, value) => {
	expect(literalValue(choice)).toBe(value);
});

test('text from the service stays as it is when n8n evaluates it, picked in the editor or not', () => {
	fc.assert(
		fc.property(planted, (choice) => {
			expect(evaluated(picked(literalValue(choice)))).toBe(choice);
			expect(evaluated(literalValue(choice))).toBe(choice);
		}),
		{ numRuns: 3_000 },
	);
});

/** Calls every method that the editor can call, and returns their results. */
async function callEditorMethods(): Promise<unknown[]> {
	const locator = { __rl: true as const, mode: 'list', value: GUID };
	const filters = { templateId: templateById(GUID) };
	const asked = (parameters: INodeParameters) => ({ credential, parameters });
	const lists = ['searchTemplates', 'searchTeams', 'searchInspections', 'searchFiles'].map(
		async (list) => await searchList(asked({ inspectionId: locator }), list),
	);
	const outputs = ['raw', 'row'].flatMap((output) => {
		const parameters = getManyParameters({ output, filters });
		const fields = async () => {
			const { context, nodeType } = await loadOptionsContext(asked(parameters));
			return await nodeType.methods?.loadOptions?.['getOutputFields']?.call(context);
		};
		return [fields(), searchList(asked(parameters), 'searchSections')];
	});
	const columns = questionColumns(asked(createParameters(templateById(GUID))));
	return await Promise.all([...lists, ...outputs, columns]);
}

/**
 * Checks every text in a result. n8n must evaluate the text to itself. A `value` can also evaluate to an escaped form
 * that `literalValue` turns back into the same value.
 */
function expectLiteral(given: unknown, key = ''): void {
	if (typeof given === 'object' && given !== null) {
		for (const [name, value] of Object.entries(given)) expectLiteral(value, name);
	} else if (key === 'value') {
		expect(literalValue(evaluated(picked(String(given))) as string)).toBe(given);
		expect(literalValue(evaluated(given as string) as string)).toBe(given);
	} else {
		expect(evaluated(given as string)).toBe(given);
	}
}

/**
 * Returns a template and an inspection that have these texts everywhere. `hasGuids` selects whether their IDs are
 * valid.
 */
function sent([a = '', b = '', c = '', d = '']: string[], hasGuids: boolean): JsonRecord[] {
	// The text can be empty, but a template without an ID is rejected. So the ID has a prefix.
	const id = hasGuids ? GUID : `=${a}`;
	const team = { id, name: b };
	const options = { is_repeatable: true };
	const section = { id: GUID, field_id: c, type: 'section', label: d, options };
	const question = { id: a, field_id: b, parent_id: GUID, type: 'radio', label: c, path: d };
	const other = { ...question, id: c, field_id: d, parent_id: null, label: a, path: b };
	const controls = [section, { ...question, choices: [a, b, c] }, { ...other, type: 'text' }];
	const template = { id, name: c, template_id: d, team, data: { controls } };
	const files = [{ id, name: a }, { id: b }];
	const inspection = { id: GUID, name: a, status: b, updated_at: c, template, team, files, [d]: 1 };
	return [template, inspection];
}

test('whatever the service sends, the editor receives nothing that n8n would evaluate to something else', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(planted, { minLength: 4, maxLength: 4 }),
			fc.boolean(),
			async (texts, hasGuids) => {
				const [template, inspection] = sent(texts, hasGuids);
				sandbox.faults.clear();
				for (const [operation, body] of [
					['getTemplate', template],
					['listInspections', { data: [inspection] }],
				] as const) {
					sandbox.faults.add({ on: { operation }, do: { kind: 'status', status: 200, body } });
				}
				expectLiteral(await callEditorMethods());
			},
		),
		{ numRuns: 40 },
	);
	sandbox.faults.clear();
});

test.each(['__proto__', 'constructor', 'prototype', '=1'])(
	'answers a manually mapped question with the field ID %s',
	async (fieldId) => {
		const { id } = sandbox.store.addTemplate({ name: 'Odd', controls: [text('Site', fieldId)] });
		const parameters = createParameters(templateById(id));
		const [column] = (await questionColumns({ credential, parameters })).fields;
		const responses = mapColumns({ [column?.id ?? '']: '=Gate {{ 4 }}' });
		const { items } = await executeNode({ credential, parameters: { ...parameters, responses } });
		const made = sandbox.store.inspections().find((one) => one.id === items[0]?.json['id']);
		expect(made?.answers.map(({ value }) => value)).toEqual(['Gate 4']);
	},
);
