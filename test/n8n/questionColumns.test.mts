/** The columns that Create's mapper shows for a template, while a workflow is built. */
import type { INodeParameters, ResourceMapperFields } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { page, repeatable, text } from '#harness/controls.mts';
import { executeNode, questionColumns } from '#harness/inspectionNodes.mts';
import { createParameters, mapColumns } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { ControlSpec } from '#sandbox/service/specs.mts';
import { SITE_WALK } from './siteWalk.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate(SITE_WALK);

const columns = async (parameters: INodeParameters, as = credential) =>
	await questionColumns({
		credential: as,
		parameters: { resource: 'inspection', operation: 'create', ...parameters },
	});
const chosen = (mode: string, value: string) => ({
	templateId: { __rl: true as const, mode, value },
});

describe('the columns of a template', () => {
	test('are the questions in the order of the form, sections start removed', async () => {
		const { fields } = await columns(chosen('list', template.id));
		expect(
			fields.map(({ id, displayName, type, required, removed }) => [
				id,
				displayName,
				type,
				required,
				removed,
			]),
		).toEqual([
			['area', 'Area (required)', 'string', false, false],
			['visitors', 'Visitors', 'number', false, false],
			['weather', 'Weather', 'options', false, false],
			['hazards', 'Hazards', 'options', false, false],
			['crew', 'Crew', 'options', false, false],
			['when', 'When', 'dateTime', false, false],
			['place', 'Place', 'string', false, false],
			['section:defects', 'Defects (list, one entry each)', 'string', false, true],
			['kind', 'Defects › Kind', 'string', false, false],
			['costs', 'Defects › Costs', 'number', false, false],
		]);
		expect(fields[2]?.options).toEqual([
			{ name: 'Dry', value: 'Dry' },
			{ name: 'Wet', value: 'Wet' },
		]);
	});

	test('have names of one clean line, which differ', async () => {
		const long = 'A'.repeat(400);
		const choices = ['Yes\u202e\n!', 'B'.repeat(300)];
		const { id } = sandbox.store.addTemplate({
			name: 'Odd names',
			controls: [
				{ type: 'text', label: `${long}1`, fieldId: 'one', is_required: true },
				{ type: 'text', label: `${long}2`, fieldId: 'two', is_required: true },
				{ type: 'radio', label: 'Gate\u202e\u001b[2J\nopen?', choices, fieldId: 'three' },
				{ type: 'text', label: '\u200b', fieldId: 'four' },
			],
		});
		const { fields } = await columns(chosen('list', id));
		const names = fields.map(({ displayName }) => displayName);
		expect(names).toEqual([
			expect.stringMatching(/^A+… \(one\) \(required\)$/),
			expect.stringMatching(/^A+… \(two\) \(required\)$/),
			'Gate [2J open?',
			'four',
		]);
		expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(200);
		expect(fields[2]?.options).toEqual([
			{ name: 'Yes !', value: choices[0] },
			{ name: `${'B'.repeat(199)}…`, value: choices[1] },
		]);
	});

	test('say what to do where there are none', async () => {
		const empty = sandbox.store.addTemplate({ identifier: 'EMPTY', name: 'Empty', controls: [] });
		const notices = await Promise.all(
			[
				chosen('list', ''),
				{},
				chosen('id', 'not a guid'),
				chosen('identifier', 'GONE'),
				chosen('id', empty.id),
			].map(async (parameters) => await columns(parameters)),
		);
		expect(
			notices.map(({ fields, emptyFieldsNotice }) => [fields.length, emptyFieldsNotice]),
		).toEqual([
			[0, expect.stringContaining('Choose a template first')],
			[0, expect.stringContaining('Choose a template first')],
			[0, expect.stringContaining('"not a guid" is not a template ID')],
			[0, expect.stringMatching(/^This template was not found: /)],
			[0, expect.stringContaining('has no questions')],
		]);
	});

	test('say why they could not be had, which n8n does not of an error', async () => {
		const { emptyFieldsNotice } = await columns(chosen('id', template.id), {
			...credential,
			apiKey: 'no such key',
		});
		expect(emptyFieldsNotice).toMatch(/401/);
	});

	test('stay with a saved mapping where the template is not known or cannot be had', async () => {
		const { fields: schema } = await columns(chosen('id', template.id));
		const responses = mapColumns({ area: '={{ $json.a }}' }, schema);
		const kept = async (reference: INodeParameters) => await columns({ ...reference, responses });
		for (const value of ['={{ $json.template }}', '']) {
			expect((await kept(chosen('id', value))).fields).toEqual(schema);
		}
		const empty = sandbox.store.addTemplate({ identifier: 'BARE', name: 'Bare', controls: [] });
		await expect(kept(chosen('identifier', 'GONE'))).rejects.toThrow('was not found');
		await expect(kept(chosen('id', 'not a guid'))).rejects.toThrow('is not a template ID');
		await expect(kept(chosen('id', empty.id))).rejects.toThrow('has no questions');
	});

	test('without choices take text', async () => {
		const bare = sandbox.store.addTemplate({
			name: 'Bare list',
			controls: [{ type: 'dropdown', label: 'Crew', choices: [] }],
		});
		const { fields } = await columns(chosen('id', bare.id));
		expect(fields).toMatchObject([{ displayName: 'Crew', type: 'string' }]);
	});

	test('say that the template comes from an expression without a value', async () => {
		const { fields, emptyFieldsNotice } = await columns(chosen('id', '={{ $json.template }}'));
		expect([fields.length, emptyFieldsNotice]).toEqual([0, expect.stringContaining('expression')]);
	});

	test('tell apart what has the same label, with the label in front', async () => {
		const same = sandbox.store.addTemplate({
			name: 'Same',
			controls: [
				text('Remarks', 'f'),
				page('Scaffolding', [text('Remarks', 'a')]),
				page('Ladders', [
					text('Remarks', 'b'),
					text('Twice', 'c'),
					text('Twice', 'd'),
					repeatable('Rung', 'rung', [text('Remarks', 'e')]),
				]),
			],
		});
		const { fields } = await columns(chosen('id', same.id));
		expect(fields.map(({ displayName }) => displayName)).toEqual([
			'Remarks (f)',
			'Remarks (Scaffolding)',
			'Remarks (Ladders)',
			'Twice (c)',
			'Twice (d)',
			'Rung (list, one entry each)',
			'Rung › Remarks',
		]);
	});

	test('say in their name that an answer is required; n8n would call them by their ids', async () => {
		const required = sandbox.store.addTemplate({
			name: 'Required',
			controls: [
				{ ...text('Plain', 'plain'), is_required: true },
				repeatable('Again', 'again', [{ ...text('Inner', 'inner'), is_required: true }]),
			],
		});
		const { fields } = await columns(chosen('id', required.id));
		expect(fields.map(({ displayName, required }) => [displayName, required])).toEqual([
			['Plain (required)', false],
			['Again (list, one entry each)', false],
			['Again › Inner (required)', false],
		]);
	});

	test('keep their ids, and with them the mapping, when a label changes', async () => {
		const controls = (label: string) => [text(label, 'kept')];
		const changing = sandbox.store.addTemplate({ name: 'Changing', controls: controls('Old') });
		const reference = chosen('id', changing.id);
		const before = await columns(reference);
		sandbox.store.updateTemplate(changing.id, { controls: controls('New') });
		const after = await columns(reference);
		expect([before, after].map(({ fields }) => fields.map((f) => [f.id, f.displayName]))).toEqual([
			[['kept', 'Old']],
			[['kept', 'New']],
		]);
		const responses = mapColumns({ [before.fields[0]?.id ?? '']: 'answer' });
		const parameters = createParameters(reference.templateId, { responses });
		await executeNode({ credential, parameters });
		expect(sandbox.store.inspections()[0]?.answers.map(({ value }) => value)).toEqual(['answer']);
	});
});

const longTemplate = (count: number, isRequired: (n: number) => boolean) =>
	sandbox.store.addTemplate({
		name: 'Long',
		controls: Array.from({ length: count }, (_, n) => ({
			...text(`Question ${String(n)}`, `q${String(n)}`),
			is_required: isRequired(n),
		})),
	});
const shownOf = ({ fields }: ResourceMapperFields) =>
	fields.filter(({ removed }) => removed !== true);

describe('of the columns of a long template', () => {
	test('50 are shown, the required ones first', async () => {
		const long = longTemplate(1000, (n) => n === 999);
		const answer = await columns(chosen('id', long.id));
		expect(answer.fields).toHaveLength(1000);
		expect(shownOf(answer)).toHaveLength(50);
		expect(shownOf(answer).at(-1)).toMatchObject({ displayName: 'Question 999 (required)' });
	});

	test('of 60 required ones 50 are shown', async () => {
		const long = longTemplate(60, () => true);
		const { fields } = await columns(chosen('id', long.id));
		expect(shownOf({ fields })).toHaveLength(50);
		expect(fields[59]).toMatchObject({
			displayName: 'Question 59 (required)',
			required: false,
			removed: true,
		});
	});

	test('the same 50 are given after a first try that failed, because n8n shows all that it gets', async () => {
		const long = longTemplate(900, () => false);
		const tried = mapColumns({});
		const again = await columns({ ...chosen('id', long.id), responses: tried });
		expect(again.fields).toHaveLength(50);
		expect(again.fields[0]).toMatchObject({ id: 'q0', removed: false });
		const responses = mapColumns({}, again.fields);
		const third = await columns({ ...chosen('id', long.id), responses });
		expect(third.fields).toEqual(again.fields);
	});

	test('those that have a value are shown, wherever they stand', async () => {
		const long = longTemplate(900, () => false);
		const responses = mapColumns({ q700: '={{ $json.a }}' });
		const answer = await columns({ ...chosen('id', long.id), responses });
		expect(shownOf(answer).map(({ id }) => id)).toContain('q700');
	});
});

test('the first column says what the notices below the mapper depend on', async () => {
	const traitsOf = async (...controls: ControlSpec[]) => {
		const { id } = sandbox.store.addTemplate({ name: 'Form', controls });
		const [first, ...others] = (await columns(chosen('id', id))).fields;
		expect(others.some((column) => 'traits' in column)).toBe(false);
		return first;
	};
	expect(await traitsOf(text('Site', 'site'))).toHaveProperty('traits', []);
	const gear = { type: 'checkbox', label: 'Gear', choices: ['Helmet', 'Gloves'] };
	const rooms = repeatable('Room', 'room', [text('Name', 'name')]);
	expect(await traitsOf(text('Site', 'site'), gear, rooms)).toHaveProperty('traits', [
		'severalChoices',
		'sections',
	]);
	const many = Array.from({ length: 51 }, (_, n) => text(`Question ${n}`, `q${n}`));
	expect(await traitsOf(...many)).toHaveProperty('traits', ['manyQuestions']);
});
