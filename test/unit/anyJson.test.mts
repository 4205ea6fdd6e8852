import fc from 'fast-check';
import { describe, it } from 'vitest';

import { readAnswer, shownValue } from '../../nodes/InspectionService/domain/answer/answer.ts';
import { mapColumns, mapItem } from '../../nodes/InspectionService/domain/answer/answerMapping.ts';
import { isStoredAs, meansSame } from '../../nodes/InspectionService/domain/answer/sameAnswer.ts';
import { storedResponsesOf } from '../../nodes/InspectionService/domain/answer/storedResponse.ts';
import { templateForm } from '../../nodes/InspectionService/domain/answer/templateForm.ts';
import { createDetails } from '../../nodes/InspectionService/domain/create/createDetails.ts';
import { createdInspection } from '../../nodes/InspectionService/domain/create/createdInspection.ts';
import { createRequest } from '../../nodes/InspectionService/domain/create/createRequest.ts';
import { displayName, nestedId } from '../../nodes/InspectionService/domain/displayName.ts';
import { guidOf } from '../../nodes/InspectionService/domain/id.ts';
import { InputError } from '../../nodes/InspectionService/domain/inputError.ts';
import type { JsonRecord, JsonValue } from '../../nodes/InspectionService/domain/json.ts';
import { shapeOf } from '../../nodes/InspectionService/domain/responseShape.ts';
import { isOfTemplate } from '../../nodes/InspectionService/domain/template/templateOfInspection.ts';
import { questionsOf } from '../../nodes/InspectionService/domain/template/templateQuestions.ts';
import { timestampOf } from '../../nodes/InspectionService/domain/timestamp.ts';
import { UnexpectedResponseError } from '../../nodes/InspectionService/domain/unexpectedResponse.ts';
import { guid, templateOf } from './generatedTemplate.mts';

const READING = { timeZone: 'UTC' };
const FORM = templateForm(
	templateOf([
		...['text', 'number', 'date', 'radio', 'checkbox', 'dropdown'].map((type) => ({
			type,
			label: `A ${type}`,
			options: { choices: ['Yes', 'No'] },
		})),
		{
			type: 'section',
			label: 'Damage',
			options: { is_repeatable: true },
			children: [
				{ type: 'text', label: 'Note' },
				{ type: 'section', label: 'Where', children: [{ type: 'number', label: 'Floor' }] },
			],
		},
	]),
);

function nested(depth: number, around: (value: JsonValue) => JsonValue): JsonValue {
	let value: JsonValue = 'x';
	for (let level = 0; level < depth; level++) value = around(value);
	return value;
}

/** Legal JSON that breaks what takes a value for what it usually is. */
const oddValue: fc.Arbitrary<JsonValue> = fc.oneof(
	fc.jsonValue().map((value) => value as JsonValue),
	fc.constantFrom<JsonValue>(
		{ toString: null, valueOf: null },
		[{ toString: null }],
		{ toJSON: 'x', toISO: 'x', toMillis: 1 },
		JSON.parse('{"__proto__":{"data":1},"constructor":null}') as JsonValue,
		Number.MAX_VALUE,
		'9999-12-31T23:59:59-05:00',
		nested(8_000, (value) => [value]),
		nested(8_000, (value) => ({ Where: value })),
		nested(8_000, (value) => ({ f8: [value] })),
	),
);

/** A record in which any members have odd values. */
const odd = (...names: string[]): fc.Arbitrary<JsonRecord> =>
	fc.record(Object.fromEntries(names.map((name) => [name, oddValue])), { requiredKeys: [] });

function isClear(error: unknown): boolean {
	return error instanceof InputError || error instanceof UnexpectedResponseError;
}

/** Whatever is given: a result, or an error that says what is wrong. */
function givesClearOutcomes<Given>(given: fc.Arbitrary<Given>, work: (given: Given) => unknown) {
	const outcome = (value: Given) => {
		try {
			work(value);
		} catch (error) {
			if (!isClear(error)) throw error;
		}
	};
	fc.assert(fc.property(given, outcome), { numRuns: 60 });
}

describe('any JSON', () => {
	it('may be an answer', () => {
		givesClearOutcomes(oddValue, (value) => [
			shownValue(value),
			guidOf(value),
			timestampOf(value),
			displayName(value),
			nestedId(value),
			shapeOf(value),
			FORM.questions.map((question) => [
				readAnswer(question, value, READING),
				meansSame(question, value, [value], READING),
				isStoredAs(question, 'x', value),
				isStoredAs(question, value, value),
			]),
		]);
	});

	it.each([true, false])('may stand in an item, with validation %s', (validate) => {
		const fields = ['f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'Damage', 'section:f7', 'Note:2', 'x'];
		givesClearOutcomes(odd(...fields), (item) =>
			[mapItem(FORM, item), mapColumns(FORM, item, new Map())].map((mapping) =>
				createRequest({
					templateId: guid(0),
					form: FORM,
					mapping,
					details: { additionalFields: {}, task: undefined },
					validate,
					...READING,
				}),
			),
		);
	});

	it('may stand in the fields beside the answers', () => {
		const fields = ['name', 'status', 'teamId', 'createdBy', 'customFields', 'locations'];
		const task = ['title', 'priority', 'dueDateTime', 'assignee'];
		givesClearOutcomes(fc.tuple(odd(...fields), odd(...task)), ([additionalFields, members]) =>
			createDetails({ additionalFields, task: members }, READING),
		);
	});

	it('may be a template', () => {
		const members = [
			'id',
			'field_id',
			'type',
			'label',
			'path',
			'parent_id',
			'children',
			'settings',
		];
		const controls = fc.array(fc.oneof(odd(...members), oddValue));
		givesClearOutcomes(
			fc.oneof(
				odd('id', 'data'),
				controls.map((list) => ({ data: { controls: list } })),
			),
			questionsOf,
		);
	});

	it('may be what Create is answered with, and never throws', () => {
		const item = odd('field_id', 'template_control_id', 'path', 'label', 'response');
		const inspection = fc.record({
			id: fc.constant('i'),
			data: fc.oneof(
				oddValue,
				fc.array(item).map((items) => ({ items })),
			),
			template: oddValue,
		});
		const sent = FORM.questions.map((question) => ({ question, order: 1, value: 'x' }));
		fc.assert(
			fc.property(inspection, oddValue, oddValue, (made, warnings, taskId) => {
				const created = createdInspection({ inspection: made, warnings, task_id: taskId }, sent);
				JSON.stringify(created);
				storedResponsesOf(made);
				isOfTemplate(made, guid(0));
				return created.id === 'i';
			}),
			{ numRuns: 60 },
		);
	});
});
