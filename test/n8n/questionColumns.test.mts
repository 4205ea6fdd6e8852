/** Tests the columns of Create's mapper, both for a new workflow and after the template has changed. */
import type { INodeParameters, ResourceMapperField } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { radio, repeatable, required, text } from '#harness/controls.mts';
import { questionColumns } from '#harness/inspectionNodes.mts';
import {
	createParameters,
	mapColumns,
	templateBy,
	templateById,
} from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { ControlSpec } from '#sandbox/service/specs.mts';
import { SITE_WALK } from './siteWalk.mts';

type Chosen = INodeParameters | string;

const { sandbox, credential } = await sandboxForTests();
const addTemplate = (controls: readonly ControlSpec[]) =>
	sandbox.store.addTemplate({ name: 'Form', controls }).id;

/** Returns the columns that the editor loads for this template and this saved mapping. */
const columns = async (templateId: Chosen, responses = mapColumns(null), as = credential) => {
	const parameters = { ...createParameters(templateById('')), templateId, responses };
	return await questionColumns({ credential: as, parameters });
};
const columnsOf = async (...controls: ControlSpec[]) =>
	(await columns(templateById(addTemplate(controls)))).fields;
const namesOf = (fields: readonly ResourceMapperField[]) =>
	fields.map(({ displayName }) => displayName);

describe('the columns of a template', () => {
	test('are the questions in the order of the template, with sections initially removed', async () => {
		const fields = await columnsOf(...SITE_WALK);
		expect(
			fields.map(({ id, displayName, type, removed }) => [id, displayName, type, removed]),
		).toEqual([
			['area', 'Area (required)', 'string', false],
			['visitors', 'Visitors', 'number', false],
			['weather', 'Weather', 'options', false],
			['hazards', 'Hazards', 'options', false],
			['crew', 'Crew', 'options', false],
			['when', 'When', 'dateTime', false],
			['place', 'Place', 'string', false],
			['section:defects', 'Defects (list of instances)', 'string', true],
			['kind', 'Defects › Kind', 'string', false],
			['costs', 'Defects › Costs', 'number', false],
		]);
		const weathers = ['Not wet', 'Wet'].map((name) => ({ name, value: name }));
		expect(fields[2]?.options).toEqual(weathers);
		// No column is required in the editor. If a required column had no value, n8n wouldn't start the execution, and
		// would list questions by their IDs.
		expect(fields.filter((field) => field.required)).toEqual([]);
	});

	test('exclude a section without questions', async () => {
		const photos = repeatable('Photos', 'photos', [{ ...text('Photo', 'photo'), type: 'media' }]);
		const [site, ...others] = await columnsOf(text('Site', 'site'), photos);
		expect(site).toMatchObject({ id: 'site', traits: [] });
		expect(others).toEqual([]);
	});

	test('offer one clean line per choice, or text if the question has no choices', async () => {
		const choices = ['Yes\u202e\n!', 'B'.repeat(300)];
		const fields = await columnsOf(
			radio('Gate\u202e\u001b[2J\nopen?', 'gate', ...choices),
			radio('\u200b', 'four'),
		);
		expect(namesOf(fields)).toEqual(['Gate [2J open?', 'four']);
		expect(fields[0]?.options).toEqual([
			{ name: 'Yes !', value: choices[0] },
			{ name: `${'B'.repeat(199)}…`, value: choices[1] },
		]);
		expect(fields[1]?.type).toBe('string');
	});

	test('come with a notice that has the names for Map Automatically, because n8n never clears an earlier notice', async () => {
		const controls = [
			required(text('Site <b>', 'site')),
			repeatable('Rooms', 'rooms', [text('Name', 'name')]),
			text('Name', 'name2'),
		];
		const { emptyFieldsNotice } = await columns(templateById(addTemplate(controls)));
		expect(emptyFieldsNotice).toBe(
			'Column names for Form: Site &lt;b&gt; (required) | Rooms/Name | Name',
		);
		const { emptyFieldsNotice: long } = await columns(templateById(addTemplate(questions(60))));
		expect(long).toMatch(/Question 49 and 10 more$/);
	});

	test('have the conditions of the notices below the mapper in the first column', async () => {
		const traitsOf = async (...controls: ControlSpec[]) => {
			const [first, ...others] = await columnsOf(...controls);
			expect(others.some((column) => 'traits' in column)).toBe(false);
			return first && 'traits' in first ? first.traits : undefined;
		};
		const gear = { ...radio('Gear', 'gear', 'Helmet', 'Gloves'), type: 'checkbox' };
		const rooms = repeatable('Room', 'room', [text('Name', 'name')]);
		expect(await traitsOf(text('Site', 'site'))).toEqual([]);
		const several = await traitsOf(text('Site', 'site'), gear, rooms);
		expect(several).toEqual(['severalChoices', 'sections']);
		expect(await traitsOf(...questions(51))).toEqual(['manyQuestions']);
	});
});

const empty = addTemplate([]);
const walk = addTemplate(SITE_WALK);

test.each<[Chosen, string]>([
	[{ __rl: true, mode: 'list', value: '' }, 'Choose a template first'],
	['', 'Choose a template first'],
	[templateById('={{ $json.template }}'), 'expression'],
	[templateById('not a guid'), `"not a guid" isn't a template ID`],
	[templateBy('GONE'), 'The template "GONE" was not found'],
	[templateById(empty), 'has no questions'],
])(
	'missing columns have an explanation, which keeps a saved mapping: %j',
	async (templateId, notice) => {
		const { fields, emptyFieldsNotice } = await columns(templateId);
		expect([fields, emptyFieldsNotice]).toEqual([[], expect.stringContaining(notice)]);
		const { fields: schema } = await columns(templateById(walk));
		const saved = mapColumns({ area: '={{ $json.a }}' }, schema);
		await expect(columns(templateId, saved)).rejects.toThrow(notice);
	},
);

test('missing columns have an explanation even if the service rejects the request', async () => {
	const stranger = { ...credential, apiKey: 'no such key' };
	const { emptyFieldsNotice } = await columns(templateById(walk), mapColumns(null), stranger);
	expect(emptyFieldsNotice).toMatch(/401.*\. Check the API key/);
});

function questions(count: number): ControlSpec[] {
	return Array.from({ length: count }, (_, n) => text(`Question ${String(n)}`, `q${String(n)}`));
}

describe('the columns of a long template', () => {
	const shownOf = (fields: readonly ResourceMapperField[]) =>
		fields.filter(({ removed }) => removed !== true).map(({ id }) => id);
	const long = templateById(addTemplate(questions(900)));

	test('are limited to 50, required ones first', async () => {
		const last = required(text('Last', 'last'));
		const fields = await columnsOf(...questions(900), last);
		expect(fields).toHaveLength(901);
		expect([shownOf(fields).length, shownOf(fields).at(-1)]).toEqual([50, 'last']);
		const allRequired = await columnsOf(...questions(60).map(required));
		expect(shownOf(allRequired)).toHaveLength(50);
	});

	test('are the same 50 after a failed first attempt, because n8n shows all that it receives', async () => {
		const again = await columns(long, mapColumns({}));
		expect(again.fields).toHaveLength(50);
		expect(again.fields[0]).toMatchObject({ id: 'q0', removed: false });
		expect((await columns(long, mapColumns({}, again.fields))).fields).toEqual(again.fields);
	});

	test('include questions that have a value, wherever they are', async () => {
		const { fields } = await columns(long, mapColumns({ q700: '={{ $json.a }}' }));
		expect(shownOf(fields)).toContain('q700');
	});
});

describe('when the template changes,', () => {
	const TEMPERATURE = text('Temperature', 'temp');
	const WIND = text('Wind', 'wind');
	const MAPPED = { temp: '={{ $json.t }}', wind: '={{ $json.w }}' };
	const change = (id: string, ...controls: ControlSpec[]) =>
		sandbox.store.updateTemplate(id, { controls });

	/**
	 * Simulates opening the node. Returns the columns that n8n loads, and the mapping that n8n keeps, which has only
	 * values of these columns.
	 */
	async function open(
		id: string,
		value: Record<string, string>,
		schema: ResourceMapperField[] = [],
	) {
		const { fields } = await columns(templateById(id), mapColumns(value, schema));
		const ids = fields.map((field) => field.id);
		const kept = Object.fromEntries(Object.entries(value).filter(([key]) => ids.includes(key)));
		return { fields, kept, names: namesOf(fields) };
	}

	test('a changed label keeps its mapping', async () => {
		const id = addTemplate([text('Old', 'kept')]);
		const before = await open(id, {});
		change(id, text('New', 'kept'));
		const after = await open(id, { kept: '=20' }, before.fields);
		expect([after.names, after.kept]).toEqual([['New'], { kept: '=20' }]);
	});

	test('a removed but mapped question returns first with a note, however often the node is opened', async () => {
		const id = addTemplate([TEMPERATURE, WIND]);
		const first = await open(id, MAPPED);
		change(id, WIND);
		const second = await open(id, MAPPED, first.fields);
		expect(second.names).toEqual(['(removed) Temperature', 'Wind']);
		expect(second.fields[0]).toMatchObject({ removed: false, required: false });
		expect(second.kept).toEqual(MAPPED);
		expect(await open(id, second.kept, second.fields)).toEqual(second);
		change(id, TEMPERATURE, WIND);
		expect(await open(id, second.kept, second.fields)).toEqual(first);
	});

	test("an unmapped column doesn't return, nor do columns of a different template", async () => {
		const id = addTemplate([TEMPERATURE, WIND]);
		const { fields } = await open(id, MAPPED);
		const other = addTemplate([text('Colour', 'colour')]);
		expect((await open(other, MAPPED, fields)).names).toEqual(['Colour']);
		change(id, WIND);
		expect((await open(id, { wind: MAPPED.wind }, fields)).names).toEqual(['Wind']);
	});
});
