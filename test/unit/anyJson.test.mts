import fc from 'fast-check';
import { describe, it } from 'vitest';

import { readAnswer } from '#connector/domain/answer/answer.ts';
import { isStoredAs, meansSame } from '#connector/domain/answer/sameAnswer.ts';
import { shownValue } from '#connector/domain/answer/shownValue.ts';
import { storedResponsesOf } from '#connector/domain/answer/storedResponse.ts';
import { checkpointAt } from '#connector/domain/changes/checkpoint.ts';
import { chooseCheckpoint, storeCheckpoint } from '#connector/domain/changes/storedCheckpoint.ts';
import { createdInspection } from '#connector/domain/create/createdInspection.ts';
import { groupRows } from '#connector/domain/create/groupRows.ts';
import { mergeDrafts } from '#connector/domain/create/mergeDrafts.ts';
import { draftOf } from '#connector/domain/create/rowAnswers.ts';
import {
	KeyedInspections,
	uniqueKeyOf,
	withUniqueKey,
} from '#connector/domain/create/uniqueKey.ts';
import { carriedError, unmappedItems } from '#connector/domain/create/unusedColumns.ts';
import { displayName, nestedId } from '#connector/domain/displayName.ts';
import { guidOf } from '#connector/domain/id.ts';
import { InputError } from '#connector/domain/inputError.ts';
import type { JsonRecord, JsonValue } from '#connector/domain/json.ts';
import { inspectionPageOf } from '#connector/domain/list/inspectionPage.ts';
import { NewestVersions } from '#connector/domain/list/newestVersions.ts';
import { timesOfPage } from '#connector/domain/list/pageChecks.ts';
import { isShallow, shallowCopy } from '#connector/domain/nesting.ts';
import { normaliseApiKey } from '#connector/domain/request/apiKey.ts';
import { reportOf } from '#connector/domain/request/failureReport.ts';
import { askedWaitMs } from '#connector/domain/request/retryAfter.ts';
import { normaliseBaseUrl, normaliseCreatePath } from '#connector/domain/request/serviceAddress.ts';
import {
	createdOf,
	fileUrlOf,
	readResponse,
	templateOf as serviceTemplateOf,
} from '#connector/domain/request/serviceResponse.ts';
import { shapeOf, UnexpectedResponseError } from '#connector/domain/responseShape.ts';
import { answerRecordsOf } from '#connector/domain/row/answerRecords.ts';
import { fileRecordsOf } from '#connector/domain/row/fileRecords.ts';
import { missingFields, rowsOf, simplified } from '#connector/domain/row/row.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { type Question, questionsOf } from '#connector/domain/template/questions.ts';
import { isOfTemplate } from '#connector/domain/template/templateOfInspection.ts';
import { timestampOf } from '#connector/domain/timestamp.ts';
import { guid, templateOf } from './generatedTemplate.mts';
import { detailsBody, requestOf, rowOf } from './madeOfRows.mts';

const READING = { timeZone: 'UTC' };
const given = (question: Question, value: unknown) => ({
	...{ question, given: value, value: 'x', problem: undefined },
});

const FORM = formOf(
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

/** The template that `FORM` is made of, as an inspection names it and as outputs know it. */
const KNOWN = { id: guid(0), name: 'Known' };
const KNOWN_TEMPLATE = { record: KNOWN, form: FORM };
const ADDRESS = { baseUrl: 'https://example.com', path: '/v1/inspections' };
const OPERATIONS = [
	'getTemplate',
	'createInspection',
	'listInspections',
	'getFileUrl',
	'downloadFile',
] as const;
const MOMENT =
	timestampOf('2026-01-01T00:00:00Z') ??
	(() => {
		throw new Error('no time');
	})();
const POLLED = {
	...{ nodeId: 'n', nodeName: 'Trigger', baseUrl: 'https://example.com', event: 'updated' },
	...{ credentialId: undefined, teamId: undefined, startFrom: undefined },
};

function isClear(error: unknown): boolean {
	return error instanceof InputError || error instanceof UnexpectedResponseError;
}

/** Does some work that may end in a clear error. */
function quietly(work: () => unknown): void {
	try {
		work();
	} catch (error) {
		if (!isClear(error)) throw error;
	}
}

/** A value nested deep cannot be printed, so what was thrown is told instead of it. */
function reportOriginal<Given>({
	failed,
	errorInstance,
	seed,
	counterexamplePath,
}: fc.RunDetails<[Given]>): void {
	if (!failed) return;
	throw new Error(`seed: ${String(seed)}, path: "${String(counterexamplePath)}"`, {
		cause: errorInstance,
	});
}

/** Whatever is given: a result, or an error that says what is wrong. */
function givesClearOutcomes<Given>(given: fc.Arbitrary<Given>, work: (given: Given) => unknown) {
	fc.assert(
		fc.property(given, (value) => quietly(() => work(value))),
		{ numRuns: 60, reporter: reportOriginal },
	);
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
				meansSame(given(question, value), given(question, [value])),
				isStoredAs(question, 'x', value),
				isStoredAs(question, value, value),
			]),
		]);
	});

	it.each([true, false])('may stand in an item, with validation %s', (validate) => {
		const fields = ['f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'Damage', 'section:f7', 'Note:2', 'x'];
		givesClearOutcomes(odd(...fields), (item) =>
			(['autoMap', 'columns'] as const).map((by) =>
				requestOf(FORM, [rowOf({ f1: '', ...item }, { by })], { validate, ...READING }),
			),
		);
	});

	it('may stand in the fields beside the answers', () => {
		const fields = ['name', 'status', 'teamId', 'createdBy', 'customFields', 'locations'];
		const task = ['title', 'priority', 'dueDateTime', 'assignee'];
		givesClearOutcomes(fc.tuple(odd(...fields), odd(...task)), ([additionalFields, members]) =>
			detailsBody({ additionalFields, task: members }),
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

	it('may be the response to a create, and nothing throws', () => {
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

	const inspection = odd(
		...['name', 'status', 'template', 'team', 'created_at', 'created_by', 'updated_at'],
		...['updated_by', 'files', 'custom_fields'],
	);
	const answer = odd(
		...['field_id', 'template_control_id', 'label', 'path', 'type', 'response'],
		...['repeat_section_order', 'value'],
	);
	const template = fc.oneof(fc.constant(KNOWN), odd('id', 'name'));
	const listed = fc
		.tuple(inspection, fc.oneof(oddValue, fc.array(fc.oneof(answer, oddValue))), template)
		.map(([members, items, of]) => ({ id: 'i', ...members, data: { items }, template: of }));
	// What is nested without end is cut before outputs are made.
	const lists = fc
		.array(listed, { maxLength: 4 })
		.map((all) => all.map((each) => (isShallow(each) ? each : { ...shallowCopy(each), id: 'i' })));

	it.each([undefined, 'Damage', 'Note'])(
		'may be the inspections that rows are made of, one per instance of %s',
		(rowPerInstanceOf) => {
			const columnNames = fc.constantFrom('label' as const, 'path' as const, 'fieldId' as const);
			givesClearOutcomes(fc.tuple(lists, columnNames), ([inspections, names]) => {
				const options = {
					columnNames: names,
					rowPerInstanceOf,
					hasFiles: true,
					hasDownloads: true,
				};
				return JSON.stringify([
					rowsOf(inspections, new Map(), options),
					rowsOf(inspections, new Map([[guid(0), KNOWN_TEMPLATE]]), options),
				]);
			});
		},
	);

	it('may be the inspections that other outputs are made of', () => {
		givesClearOutcomes(lists, (inspections) => {
			const records = inspections.flatMap((each) => [simplified(each), ...fileRecordsOf(each)]);
			const answers = answerRecordsOf(inspections, new Map([[guid(0), KNOWN_TEMPLATE]]));
			return JSON.stringify([answers, records, missingFields(records, ['name', 'Weather'])]);
		});
	});

	it('may be the response to any call', () => {
		const readers: ((json: unknown) => unknown)[] = [
			(json: unknown) => inspectionPageOf(json, { page: 1, pageSize: 100 }, undefined),
			...[serviceTemplateOf, createdOf, fileUrlOf],
		];
		const json = fc.oneof(oddValue, odd('id', 'url', 'inspection', 'data'), lists);
		const text = fc.oneof(
			fc.constant(`{"id":"x","a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`),
			fc.string(),
			lists.map((value) => JSON.stringify(value)),
		);
		givesClearOutcomes(fc.tuple(fc.nat(599), text), ([status, body]) => [
			readers.map((read) => readResponse({ status, body }, read)),
			OPERATIONS.map((operation) =>
				reportOf({ operation, ...ADDRESS }, { kind: 'status', status, body, location: body }),
			),
		]);
		givesClearOutcomes(json, (value) => readers.map((read) => quietly(() => read(value))));
	});

	it('may stand in the headers of a response', () => {
		const headers = odd('date', 'retry-after', 'ratelimit-reset', 'x-ratelimit-reset');
		givesClearOutcomes(headers, (given) => askedWaitMs({ status: 429, headers: given }, 0));
	});

	it('may stand in a page of the list, which is read to its end or refused', () => {
		const stamped = fc.tuple(inspection, fc.oneof(oddValue, fc.constant(MOMENT)));
		const page = fc
			.array(stamped, { maxLength: 5 })
			.map((rows) => rows.map(([row, at], n) => ({ ...row, id: String(n), created_at: at })));
		givesClearOutcomes(page, (rows) => {
			const versions = new NewestVersions(() => true);
			versions.add(rows);
			versions.add(rows.toReversed());
			const order = { sortBy: 'created_at', sortOrder: 'desc' } as const;
			return [versions.sorted(order), timesOfPage(order, {}, rows)];
		});
	});

	it('may be entered in the credential', () => {
		const rules = [normaliseApiKey, normaliseBaseUrl, normaliseCreatePath];
		for (const rule of rules) givesClearOutcomes(oddValue, rule);
	});

	it('may be a unique key, and may stand in the custom field that holds the keys', () => {
		givesClearOutcomes(oddValue, (value) => uniqueKeyOf(value, 'Unique key'));
		givesClearOutcomes(fc.tuple(inspection, oddValue), ([record, value]) => {
			const keyed = new KeyedInspections('k');
			keyed.add([record, { ...record, custom_fields: [{ name: 'k', value }] }], new Set(['x']));
			return [
				keyed.get('x', record),
				keyed.passedAt('x'),
				withUniqueKey(record, { field: 'k', value: 'x' }),
			];
		});
	});

	it('may stand in the rows that are grouped', () => {
		const row = odd('Order', 'Note', 'f1', 'f6', 'Damage');
		givesClearOutcomes(fc.array(row, { maxLength: 4 }), (rows) => [
			groupRows(rows, 'Order'),
			rows.map((each) => carriedError(FORM, each)),
			unmappedItems(FORM, rows, () => false),
			mergeDrafts(
				rows.map((values, place) => {
					const row = rowOf(values, { additionalFields: values, task: values });
					return { row: place, draft: draftOf(FORM, row, { ...READING, isGrouped: true }) };
				}),
			),
		]);
	});

	it('may be what the trigger has stored', () => {
		const stored = odd('watermark', 'seen', 'resumeAt', 'emitted', 'revision', 'nodeId');
		const kept = fc.tuple(fc.oneof(stored, oddValue), fc.oneof(stored, oddValue));
		givesClearOutcomes(kept, ([own, backup]) => {
			const chosen = chooseCheckpoint({ own, backup }, POLLED);
			return storeCheckpoint(chosen, chosen.checkpoint ?? checkpointAt(MOMENT), POLLED, true);
		});
	});
});
