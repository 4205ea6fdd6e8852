/** Any legal answers to any template go through Create's mapper and through the keys of an item into the service. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { formOf } from '#connector/domain/template/form.ts';
import { executeNode, questionColumns } from '#harness/inspectionNodes.mts';
import {
	createParameters,
	MAP_AUTOMATICALLY,
	mapColumns,
	templateById,
} from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Template } from '#sandbox/service/model.mts';
import type { ControlSpec } from '#sandbox/service/specs.mts';
import { asColumns, legalAnswers } from '../unit/generatedAnswers.mts';
import { anyPages, type ControlSpec as Generated, templateOf } from '../unit/generatedTemplate.mts';

const { sandbox, credential } = await sandboxForTests();

/** The controls as the sandbox writes them; both count field ids from `f1`. */
function sandboxControls(specs: readonly Generated[], counter = { last: 0 }): ControlSpec[] {
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

const comparable = (fieldId: string | undefined, order: number, value: unknown) =>
	JSON.stringify([fieldId, order, Array.isArray(value) ? [...value].sort() : value]);

/** The answers that the service holds of the inspection that is made of an item. */
async function stored({ id, controls }: Template, responses: object, item: IDataObject) {
	const { items } = await executeNode({
		credential,
		items: [item],
		timezone: 'America/New_York',
		parameters: createParameters(templateById(id), { responses, output: 'raw' } as object),
	});
	const [json] = items.map((made) => made.json);
	expect(json?.unstored_responses).toEqual([]);
	const fieldIds = new Map(controls.map((control) => [control.id, control.fieldId]));
	const { answers = [] } = sandbox.store.find(String(json?.id)) ?? {};
	return answers
		.map(({ controlId, order, value }) => comparable(fieldIds.get(controlId), order, value))
		.toSorted();
}

test('any legal answers of any template go by columns and by keys into the service, and are found there', async () => {
	await fc.assert(
		fc.asyncProperty(filled, shapes, async ({ pages, planned }, shape) => {
			Object.assign(sandbox.settings, shape);
			const controls = sandboxControls(pages);
			const template = sandbox.store.addTemplate({ name: 'Generated', controls });
			const wanted = planned
				.map(({ question, order, value }) => comparable(question.fieldId, order, value))
				.toSorted();
			const values = asColumns(planned);
			const parameters = { templateId: templateById(template.id) };
			const { fields } = await questionColumns({ credential, parameters });
			const ids = new Set(fields.map(({ id }) => id));
			expect(Object.keys(values).filter((id) => !ids.has(id))).toEqual([]);

			const expressions = Object.keys(values).map((id) => [id, `={{ $json["${id}"] }}`]);
			const byColumns = mapColumns(Object.fromEntries(expressions));
			expect(await stored(template, byColumns, values)).toEqual(wanted);

			// A blank item makes no inspection.
			if (planned.length === 0) return;
			const unanswered = template.controls.map(({ fieldId }) => [fieldId, '']);
			const item = { ...Object.fromEntries(unanswered), ...values };
			expect(await stored(template, MAP_AUTOMATICALLY, item)).toEqual(wanted);
		}),
		{ numRuns: 50 },
	);
});
