/** Tests that the output that n8n shows before the first run (`__schema__`) matches the actual output. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import { expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { builtNode } from '#harness/builtPackage.mts';
import { text } from '#harness/controls.mts';
import { mapColumns, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const FOLDER = new URL('../../nodes/InspectionService/__schema__/', import.meta.url);
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

const { sandbox, credential } = await sandboxForTests({ data: 'demo', demoInspections: 40 });

const fileOf = (name: string) => new URL(`v1.0.0${name}.json`, FOLDER);
const schemaOf = (name: string): { $id?: string; properties: object } =>
	JSON.parse(readFileSync(fileOf(name), 'utf8'));

async function run(parameters: object) {
	const { jsons } = await actionNode(credential)(parameters);
	expect(jsons.length).toBeGreaterThan(0);
	return jsons;
}

async function expectDescribed(resource: string, operation: string, parameters: object) {
	const name = `/${resource}/${operation}`;
	const validate = ajv.getSchema(name) ?? ajv.addSchema(schemaOf(name), name).getSchema(name);
	if (validate === undefined) throw new Error(`no schema ${name}`);
	for (const json of await run({ resource, operation, ...parameters })) {
		expect(validate(json), ajv.errorsText(validate.errors)).toBe(true);
	}
}

const inspections = sandbox.store.inspections(sandbox.tenants.north.organization.id);
const withFiles = inspections.find(({ files }) => files.length > 0);

test('every operation has a schema, and so has the trigger', () => {
	const { properties } = builtNode('inspectionService').description;
	const operations = properties.filter(({ name }) => name === 'operation');
	const names = operations.flatMap(({ displayOptions, options = [] }) => {
		const [resource] = displayOptions?.show?.resource ?? [];
		const values = options.flatMap((option) => ('value' in option ? [option.value] : []));
		return values.map((operation) => `/${String(resource)}/${String(operation)}`);
	});
	expect(names).toContain('/inspection/create');
	expect([...names, ''].filter((name) => !existsSync(fileOf(name)))).toEqual([]);
});

test('Get and the trigger have copies of the inspection schema, because n8n looks for a separate file', () => {
	for (const copy of ['', '/inspection/get']) {
		if (process.env['UPDATE_SCHEMAS'] === '1')
			copyFileSync(fileOf('/inspection/getAll'), fileOf(copy));
		expect(schemaOf(copy)).toEqual(schemaOf('/inspection/getAll'));
	}
});

test.each(['simplified', 'raw', 'row', 'answers', 'files'])(
	'a schema describes Get Many for any format of templates or teams: %s',
	{ tags: ['slow'] },
	async (output) => {
		const options = { include: ['data', 'files', 'shared_with_users'] };
		const parameters = { returnAll: true, output, options };
		for (const shape of ['full', 'idName', 'idOnly', 'idString'] as const) {
			Object.assign(sandbox.settings, { templateShape: shape, teamShape: shape });
			await expectDescribed('inspection', 'getAll', parameters);
		}
	},
);

test.each(['simplified', 'files'])(
	'the schema of Get Many has all fields of the output %s',
	async (output) => {
		// n8n 2.41 selects a schema by resource and operation only, so one schema must contain the fields of all outputs.
		// n8n shows only top-level properties.
		const shown = new Set(Object.keys(schemaOf('/inspection/getAll').properties));
		const many = { resource: 'inspection', operation: 'getAll', returnAll: true, output };
		const fields = (await run(many)).flatMap((json) => Object.keys(json));
		expect(fields.filter((name) => !shown.has(name))).toEqual([]);
	},
);

test.each(['template', 'questions', 'emptyRow'])(
	'a schema describes Get a template: %s',
	async (output) => {
		const templateId = templateById(withFiles?.templateId ?? '');
		await expectDescribed('template', 'get', { templateId, output });
	},
);

test('the schema of Create has the fields of the default output, in the same order', async () => {
	const { id } = sandbox.store.addTemplate({ name: 'Schema', controls: [text('Note', 'note')] });
	const responses = mapColumns({ note: 'x' });
	const parameters = { operation: 'create', templateId: templateById(id), responses };
	const [json = {}] = await run({ resource: 'inspection', ...parameters });
	expect(Object.keys(schemaOf('/inspection/create').properties)).toEqual(Object.keys(json));
});

test.each(['simplified', 'raw', 'checked'])('a schema describes Create: %s', async (output) => {
	const { id } = sandbox.store.addTemplate({ name: 'Schema', controls: [text('Note', 'note')] });
	for (const createTask of [false, true]) {
		await expectDescribed('inspection', 'create', {
			templateId: templateById(id),
			responses: mapColumns({ note: 'x' }),
			output: output === 'checked' ? 'simplified' : output,
			options: { checkOnly: output === 'checked' },
			createTask,
			task: { assignee: 'no@example.com' },
		});
	}
});

test.each(['getUrl', 'download'])('a schema describes the file operation %s', async (operation) => {
	const { id, files } = withFiles ?? {};
	await expectDescribed('file', operation, { inspectionId: id, fileId: files?.[0]?.id });
});
