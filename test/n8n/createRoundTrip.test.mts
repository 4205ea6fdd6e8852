import fc from 'fast-check';
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { formOf } from '#connector/domain/template/form.ts';
import { questionsOf } from '#connector/domain/template/questions.ts';
import { executeNode, questionColumns } from '#harness/inspectionNodes.mts';
import {
	createParameters,
	MAP_AUTOMATICALLY,
	mapColumns,
	templateById,
} from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Template } from '#sandbox/service/model.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';
import { asColumns, legalAnswers, type Planned } from '../unit/generatedAnswers.mts';
import { anyPages, type ControlSpec, templateOf } from '../unit/generatedTemplate.mts';

/** Each run is one template, two creates and a dozen requests. */
const RUNS = 60;

const { sandbox, credential } = await sandboxForTests();

type SandboxControl = NonNullable<
	Parameters<Sandbox['store']['addTemplate']>[0]['controls']
>[number];

function sandboxControls(specs: readonly ControlSpec[], counter = { last: 0 }): SandboxControl[] {
	return specs.map(({ type, label, options = {}, children = [] }) => ({
		fieldId: `f${String(++counter.last)}`,
		type,
		label,
		is_required: options.is_required === true,
		is_repeatable: options.is_repeatable === true,
		show_time: options.show_time === true,
		multiple: true,
		...(Array.isArray(options.choices) && { choices: options.choices.map(String) }),
		children: sandboxControls(children, counter),
	}));
}

/** What docs/service.openapi.yaml does not show of the answers in an inspection that is read. */
const shapes = fc.record({
	pathIncludesLabel: fc.boolean(),
	plainItemOrder: fc.constantFrom('one' as const, 'absent' as const),
});

/** A template in both notations, with a legal set of answers. */
const filled = anyPages.chain((pages) =>
	legalAnswers(formOf(templateOf(pages))).map((planned) => ({ pages, planned })),
);

async function create(template: Template, responses: NodeParameterValueType, item: IDataObject) {
	const { items } = await executeNode({
		credential,
		items: [item],
		timezone: 'America/New_York',
		parameters: createParameters(templateById(template.id), {
			responses,
			output: 'raw',
		}),
	});
	return items[0]?.json ?? {};
}

async function columnIds(template: Template) {
	const parameters = { templateId: templateById(template.id) };
	const { fields } = await questionColumns({ credential, parameters });
	return new Set(fields.map(({ id }) => id));
}

const sorted = (answers: (readonly [string, number, unknown])[]) =>
	answers
		.map(([fieldId, order, value]) =>
			JSON.stringify([fieldId, order, Array.isArray(value) ? [...value].sort() : value]),
		)
		.sort();

const plannedAnswers = (planned: readonly Planned[]) =>
	sorted(planned.map(({ question, order, value }) => [question.fieldId, order, value]));

function storedAnswers(template: Template, id: unknown) {
	const fieldIds = new Map(template.controls.map((control) => [control.id, control.fieldId]));
	const answers = sandbox.store.find(String(id))?.answers ?? [];
	return sorted(
		answers.map(({ controlId, order, value }) => [fieldIds.get(controlId) ?? '', order, value]),
	);
}

describe('any legal set of answers of any template', () => {
	test('goes by columns and by keys into the service, and is found there', async () => {
		await fc.assert(
			fc.asyncProperty(filled, shapes, async ({ pages, planned }, shape) => {
				Object.assign(sandbox.settings, shape);
				const template = sandbox.store.addTemplate({
					name: 'Generated',
					controls: sandboxControls(pages),
				});
				const values = asColumns(planned);
				const ids = await columnIds(template);
				expect(Object.keys(values).filter((id) => !ids.has(id))).toEqual([]);

				const expressions = Object.keys(values).map((id) => [id, `={{ $json["${id}"] }}`]);
				const mapped = await create(template, mapColumns(Object.fromEntries(expressions)), values);
				expect(mapped.unstored_responses).toEqual([]);
				expect(storedAnswers(template, mapped.id)).toEqual(plannedAnswers(planned));

				const unanswered = template.controls.map(({ fieldId }) => [fieldId, '']);
				const matched = await create(template, MAP_AUTOMATICALLY, {
					...Object.fromEntries(unanswered),
					...values,
				});
				expect(storedAnswers(template, matched.id)).toEqual(plannedAnswers(planned));
			}),
			{ numRuns: RUNS },
		);
	});

	test('with one that is illegal is refused before a create is sent', async () => {
		await fc.assert(
			fc.asyncProperty(filled, async ({ pages, planned }) => {
				const numbers = planned.filter(({ question }) => question.type === 'number');
				const [bad] = numbers;
				if (bad === undefined) return;
				const template = sandbox.store.addTemplate({
					name: 'Generated',
					controls: sandboxControls(pages),
				});
				sandbox.requests.clear();
				const values = asColumns(
					planned.map((answer) => (answer === bad ? { ...answer, value: '1,5' } : answer)),
				);
				await expect(create(template, MAP_AUTOMATICALLY, values)).rejects.toThrow(
					'"1,5" is not a number',
				);
				expect(sandbox.requests.count('createInspection')).toBe(0);
			}),
			{ numRuns: RUNS },
		);
	});
});

test('both notations of a generated template have the same questions', async () => {
	const [pages] = fc.sample(anyPages, { numRuns: 1, seed: 7 });
	if (pages === undefined) throw new Error('no sample');
	const template = sandbox.store.addTemplate({ name: 'G', controls: sandboxControls(pages) });
	const { items } = await executeNode({
		credential,
		parameters: {
			resource: 'template',
			operation: 'get',
			output: 'questions',
			templateId: templateById(template.id),
		},
	});
	expect(items.map(({ json }) => json.field_id)).toEqual(
		questionsOf(templateOf(pages)).questions.map(({ fieldId }) => fieldId),
	);
});
