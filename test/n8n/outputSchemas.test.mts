import { existsSync, readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';

import { text } from '#harness/controls.mts';
import { executeNode, loadNode, type NodeOptions } from '#harness/inspectionNodes.mts';
import { mapColumns, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const FOLDER = new URL('../../nodes/InspectionService/__schema__/', import.meta.url);
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

const { sandbox, credential } = await sandboxForTests({ data: 'demo', demoInspections: 40 });

function schemaOf(name: string): object {
	return JSON.parse(readFileSync(new URL(`v1.0.0${name}.json`, FOLDER), 'utf8'));
}

function run(parameters: NodeOptions['parameters']) {
	return executeNode({ credential, parameters });
}

async function problems(
	resource: string,
	operation: string,
	parameters: NodeOptions['parameters'],
) {
	const validate = ajv.compile(schemaOf(`/${resource}/${operation}`));
	const { items } = await run({ resource, operation, ...parameters });
	expect(items.length).toBeGreaterThan(0);
	return items.flatMap(({ json }) => (validate(json) ? [] : [ajv.errorsText(validate.errors)]));
}

/** An inspection of the demo data that has what a test needs. */
function inspectionWith(part: 'answers' | 'files') {
	const found = sandbox.store
		.inspections(sandbox.tenants.north.organization.id)
		.find((inspection) => inspection[part].length > 0);
	if (found === undefined) throw new Error(`no inspection with ${part}`);
	return found;
}

describe('the output schema', () => {
	test('is there for every operation, and for the trigger', async () => {
		const { properties } = (await loadNode('inspectionService')).description;
		const operations = properties.filter(({ name }) => name === 'operation');
		const files = operations.flatMap(({ displayOptions, options = [] }) =>
			options.flatMap((option) =>
				'value' in option
					? [`/${String(displayOptions?.show?.resource?.[0])}/${String(option.value)}`]
					: [],
			),
		);
		expect(files).toContain('/inspection/create');
		const missing = [...files, ''].filter(
			(name) => !existsSync(new URL(`v1.0.0${name}.json`, FOLDER)),
		);
		expect(missing).toEqual([]);
		expect(schemaOf('')).toEqual(schemaOf('/inspection/getAll'));
		expect(schemaOf('/inspection/get')).toEqual(schemaOf('/inspection/getAll'));
	});

	test.each(['simplified', 'raw', 'row', 'answers', 'files'])(
		'describes Get and Get Many: %s',
		async (output) => {
			const options = { include: ['data', 'files', 'shared_with_users'] };
			const parameters = { returnAll: true, output, options };
			expect(await problems('inspection', 'getAll', parameters)).toEqual([]);
			const { id } = inspectionWith(output === 'files' ? 'files' : 'answers');
			const one = { inspectionId: id, output, options };
			expect(await problems('inspection', 'get', one)).toEqual([]);
		},
	);

	test.each(['simplified', 'files'])(
		'has the fields of %s among those that n8n shows before the first run',
		async (output) => {
			// n8n 2.41 asks by resource and operation only, and shows the properties at the top.
			const { properties } = schemaOf('/inspection/getAll') as { properties: object };
			const parameters = { resource: 'inspection', operation: 'getAll', returnAll: true, output };
			const { items } = await run(parameters);
			const shown = new Set(Object.keys(properties));
			expect(items.length).toBeGreaterThan(0);
			for (const { json } of items) {
				expect(Object.keys(json).filter((name) => !shown.has(name))).toEqual([]);
			}
		},
	);

	test.each(['full', 'idName', 'idOnly', 'idString'] as const)(
		'describes Get Many whatever the shape of template and team: %s',
		async (shape) => {
			sandbox.settings.templateShape = shape;
			sandbox.settings.teamShape = shape;
			for (const output of ['simplified', 'raw', 'row', 'answers']) {
				expect(await problems('inspection', 'getAll', { limit: 100, output })).toEqual([]);
			}
		},
	);

	test.each(['template', 'questions', 'emptyRow'])(
		'describes Get a template: %s',
		async (output) => {
			const templateId = templateById(inspectionWith('answers').templateId);
			expect(await problems('template', 'get', { templateId, output })).toEqual([]);
		},
	);

	test.each(['simplified', 'row', 'raw', 'checked'])('describes Create: %s', async (output) => {
		const controls = [text('Note', 'note')];
		const { id } = sandbox.store.addTemplate({ name: 'Schema', controls });
		const responses = mapColumns({ note: 'x' });
		for (const createTask of [false, true]) {
			const parameters = {
				templateId: templateById(id),
				responses,
				output,
				options: { checkOnly: output === 'checked' },
				createTask,
				task: { assignee: 'no@example.com' },
			};
			expect(await problems('inspection', 'create', parameters)).toEqual([]);
		}
	});

	test.each(['getUrl', 'download'])('describes the file operation %s', async (operation) => {
		const { id, files } = inspectionWith('files');
		const parameters = { inspectionId: id, fileId: files[0]?.id ?? '' };
		expect(await problems('file', operation, parameters)).toEqual([]);
	});
});
