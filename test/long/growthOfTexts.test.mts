// Authors of sheets, templates, and responses decide how long a cell, label, or answer is. So each function that reads them must
// take only about twenty times as long for twenty times the text. This is timed, not counted, because patterns run
// inside the engine. eslint-plugin-regexp finds most slow patterns, and growthOfOperations tests whole operations.
import { describe, expect, it } from 'vitest';

import { readAnswer } from '#connector/domain/answer/answer.ts';
import { readChoices } from '#connector/domain/answer/choices.ts';
import { dateInFormat } from '#connector/domain/answer/dateFormat.ts';
import { onlySeparatorOf, withoutUnit } from '#connector/domain/answer/numbers.ts';
import { numberProblem } from '#connector/domain/answer/refusedNumber.ts';
import { isStoredAs, meansSame } from '#connector/domain/answer/sameAnswer.ts';
import { storedResponsesOf } from '#connector/domain/answer/storedResponse.ts';
import { groupRows } from '#connector/domain/create/groupRows.ts';
import { lookalikes, lookOf } from '#connector/domain/create/identity.ts';
import { looksLikeTotal } from '#connector/domain/create/inspectionRows.ts';
import { meantColumns } from '#connector/domain/create/meantColumns.ts';
import { sheetFix } from '#connector/domain/create/sheet.ts';
import { swappedDays } from '#connector/domain/create/sheetAdvice.ts';
import { columnsIn } from '#connector/domain/create/sheetRow.ts';
import { keyOfInspection, uniqueKeyOf } from '#connector/domain/create/uniqueKey.ts';
import { delimiterFix, encodingFix, withReadableText } from '#connector/domain/encoding.ts';
import { failedPartOfKey } from '#connector/domain/failedValue.ts';
import {
	describeFile,
	dispositionFileName,
	uniqueFileNames,
} from '#connector/domain/file/fileName.ts';
import { itemsForModel } from '#connector/domain/itemsForModel.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { inspectionPageOf } from '#connector/domain/list/inspectionPage.ts';
import { listQueryString } from '#connector/domain/list/inspectionQuery.ts';
import { nearestName } from '#connector/domain/nearestName.ts';
import { withPlainDigits } from '#connector/domain/normalizeText.ts';
import { redactorOf } from '#connector/domain/request/apiKey.ts';
import { decodedTexts } from '#connector/domain/request/decodedText.ts';
import { thrownFailure } from '#connector/domain/request/networkFailure.ts';
import { checkDestination, normaliseBaseUrl } from '#connector/domain/request/serviceAddress.ts';
import { serviceMessage } from '#connector/domain/request/serviceMessage.ts';
import { templateOf, valueOf } from '#connector/domain/request/serviceResponse.ts';
import { requestedWaitMs, statusFailure } from '#connector/domain/request/statusFailure.ts';
import { cellMaker, choiceJoiner, localDate } from '#connector/domain/row/cell.ts';
import { answerRecordsOf } from '#connector/domain/row/placedAnswer.ts';
import { rowsOf } from '#connector/domain/row/row.ts';
import { rowNumbers } from '#connector/domain/rowNumbers.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { ANSWERABLE_TYPES } from '#connector/domain/template/questions.ts';
import { timestampOf } from '#connector/domain/timestamp.ts';
import { literalValue } from '#connector/methods/literalValue.ts';
import { questionOf } from '#harness/forms.mts';
import { createdInspection, groupRequest, requestOf, rowOf } from '#harness/madeOfRows.mts';
import { growthOf, MAX_RATIO, outcomeOf } from './growth.mts';

/** The compared lengths, in characters. */
const [SHORT, LONG] = [1_000, 20_000];

const CHARACTERS = [
	'"',
	'0',
	'1',
	'.',
	'/',
	'\\',
	',',
	' ',
	'\n',
	'a',
	'(',
	'[',
	'{',
	'<',
	':',
	'%',
	'\u200b',
	'\ud800',
	'\u{1f600}',
	'\u0301\u0316',
	'İ',
	'",',
	'""',
	'a,',
	'.a',
	':1',
	'1.',
	'\\"',
	'<!--',
	'#',
	'#A',
	'[object ',
	'Ã',
	'\u0096',
	'-',
	'1 ',
	'{"a":',
	'%25',
	'&amp;',
	'&#38;',
	'\\u005c',
	'Zm9v',
	'5a6d',
];

/**
 * Returns strings with a long run of one character: alone, at the beginning, and in the middle. The end differs, because
 * a pattern with a quadratic worst case reads up to that end and then fails.
 */
function textsOf(character: string, length: number): string[] {
	const run = character.repeat(Math.ceil(length / character.length));
	return [run, `${run}x`, `${run}1`, `1.${run}1`];
}

const READING = { timeZone: 'Europe/Berlin' };
const CHOICES = ['Yes', 'No', 'a', '1', '"', 'a, b', '0;0', '. .'];

const QUESTIONS = ANSWERABLE_TYPES.map((type) =>
	questionOf(type, { choices: CHOICES, show_time: true }),
);
const OPEN_QUESTIONS = ANSWERABLE_TYPES.map((type) => questionOf(type));

/** Returns a template that has the text as labels, paths, and choices. */
function templateWith(text: string): JsonRecord {
	const settings = { is_repeatable: true, choices: [text, `${text}x`] };
	const control = (id: string, type: string, label: string, others: JsonRecord = {}) => ({
		id,
		field_id: id,
		type,
		label,
		...others,
	});
	const controls = [
		control('s', 'section', text, { path: text, settings }),
		control('p', 'section', text, { parent_id: 's' }),
		control('q', 'checkbox', 'Q', { path: text, parent_id: 'p', settings }),
		control(text, 'text', text, { path: `${text}/x`, parent_id: 'p' }),
	];
	return { id: 't', data: { controls } };
}

const inspectionWith = (text: string) => ({
	id: 'i',
	name: text,
	template: { id: 't', name: text },
	files: [{ id: text, name: text, type: text }],
	updated_at: text,
	custom_fields: [{ name: text, value: text }],
	data: {
		items: [
			{ field_id: 'q', label: text, path: text, response: { value: text } },
			{ field_id: text, label: 'x', path: `${text}/`, response: { value: [text, text] } },
		],
	},
});

const FORM = formOf(templateWith('Label'));
const TEMPLATES = new Map([['t', FORM]]);
const PAGE = { sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 100 } as const;
const ASKED = { operation: 'getTemplate', baseUrl: 'https://example.com', path: '/' } as const;
const UNCHANGED = { receivedAt: 0, redact: (text: string) => text };

/** The functions that read strings from outside, by kind of string. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
	'a cell, as an answer of each type': (text) => [
		QUESTIONS.map((question) => [
			readAnswer(question, text, READING),
			readAnswer(question, text, { ...READING, decimalSeparator: 'comma' }),
			readAnswer(question, [text, [text]], READING),
		]),
		OPEN_QUESTIONS.map((question) => readAnswer(question, text, READING)),
	],
	'a cell, as choices': (text) => [
		readChoices(text, []),
		readChoices(text, CHOICES),
		readChoices(`${text},Yes`, [text, 'Yes']),
		readChoices([text], [text.slice(1), text]),
	],
	'a cell that failed or was read in the wrong encoding': (text) => [
		failedPartOfKey(text),
		encodingFix([text]),
		withReadableText({ [text]: [text] }),
		withPlainDigits(text),
	],
	'a cell, as a date in a format': (text) => dateInFormat(text, 'dd.MM.yyyy', 'UTC'),
	'two answers to one question': (text) =>
		QUESTIONS.map((question) => {
			const of = (given: string) => ({ question, given, value: given, problem: undefined });
			return [
				meansSame(of(text), of(`${text} `)),
				isStoredAs(question, text, `${text} `),
				isStoredAs(question, [text, 'x'], `x,${text}`),
			];
		}),
	'a row with answers and fields': (text) =>
		requestOf(FORM, [
			{
				...rowOf({
					'section:s': [{ q: text }, { Label: text }, { [text]: { Label: text } }],
					[text]: text,
				}),
				additionalFields: {
					name: text,
					teamId: text,
					createdBy: text,
					customFields: { customField: [{ name: text, value: text }] },
					locations: text,
				},
				task: {
					title: text,
					priority: text,
					dueDateTime: text,
					assignee: [text, `<${text}`, `"<${text}`],
				},
			},
		]),
	'a column that may stand for a choice': (text) =>
		meantColumns(FORM, [text, `Q/${text}`], [{ [text]: text, [`Q/${text}`]: 'x' }]),
	'a row with manually mapped columns': (text) =>
		requestOf(FORM, [rowOf({ [text]: text, 'section:s': text }, { by: 'columns' })]),
	'rows of one inspection': (text) => {
		const rows = [text, `${text}x`].map((q) => ({ q, [text]: q }));
		return groupRequest(FORM, rows);
	},
	'rows and the column that groups them': (text) => [
		groupRows([{ [text]: text }], columnsIn(text, [])),
		groupRows([{ a: text }], columnsIn(`['${text}']`, [{ a: text }])),
	],
	'a number with a unit': (text) => [
		withoutUnit(`12 ${text}`, text),
		withoutUnit(`${text} 12`, `${text} (${text})`),
		numberProblem(`12 ${text}`, 'comma', text),
		onlySeparatorOf(text),
	],
	'a value, by its look': (text) => [
		lookOf(text),
		lookOf(`0${text}`),
		lookalikes([{ value: text, where: '' }]),
	],
	'the first cell of a row, as a total': (text) => looksLikeTotal({ Area: text }),
	'days as text': (text) =>
		swappedDays([{ [text]: text }, { [text]: 46148 }], rowNumbers([{}, {}])),
	'a column that is near to a question': (text) => [
		meantColumns(FORM, [text, `${text}[2]`, `Label/${text}`], []),
		meantColumns(formOf(templateWith(text)), [`${text}x`, `${text}_2`], []),
	],
	'a unique key': (text) => [uniqueKeyOf(text), keyOfInspection(inspectionWith(text))],
	'a column that no question has': (text) => [
		nearestName(text, [`${text}x`, `x${text}`]),
		sheetFix([text]),
		delimiterFix([`sep=${text}`]),
	],
	'a template, and the names in it': (text) => {
		const form = formOf(templateWith(text));
		return [form.keys.find(text), form.keys.find(`${text}: 2 (required)`), form.nearest(text)];
	},
	'a choice, for the editor': (text) => literalValue(`={{.${text}`),
	'an inspection, as a row': (text) =>
		rowsOf([inspectionWith(text)], TEMPLATES, { columnNames: 'label' }),
	'an inspection, as its answers': (text) => answerRecordsOf([inspectionWith(text)], TEMPLATES),
	'an inspection, as stored responses': (text) => storedResponsesOf(inspectionWith(text)),
	'an inspection for a model': (text) => itemsForModel([{ [text]: text }, { text }], text.length),
	'an inspection that was created': (text) =>
		createdInspection({ ...inspectionWith(text), warnings: [text] }, [
			{ question: { ...questionOf('text'), fieldId: 'q' }, order: 1, value: text },
		]),
	'a page of the list': (text) => inspectionPageOf([inspectionWith(text)], undefined),
	'choices, as a cell': (text) => [
		choiceJoiner(CHOICES)([text, 'Yes']),
		choiceJoiner([])([text, 'a']),
		choiceJoiner([text, 'a'])([text, 'a']),
		cellMaker({ type: 'checkbox', choices: CHOICES })([text, text]),
	],
	'a time': (text) => [
		timestampOf(text),
		timestampOf(`2026-01-01T00:00:00.${text}Z`),
		localDate(text, { timeZone: 'Europe/Berlin', showTime: true }),
		requestedWaitMs({
			status: 503,
			headers: { 'retry-after': `Sun, ${text}`, date: text },
			receivedAt: 0,
		}),
	],
	'a base URL': (text) =>
		['', 'https://', 'https://example.com/', 'https://example.com/?'].map((start) =>
			outcomeOf(() => normaliseBaseUrl(start + text)),
		),
	'the address of a request': (text) =>
		['', 'https://example.com/', 'https://example.com@'].map((start) => {
			const url = start + text;
			const request = { url, baseURL: url, headers: { [text]: text, host: text } };
			return outcomeOf(() => {
				checkDestination(request, 'https://example.com');
			});
		}),
	'filters, as a query': (text) => [
		listQueryString({ ...PAGE, teamId: text, templateControlIds: [text] }, 'json'),
		listQueryString({ ...PAGE, teamId: text, templateControlIds: [text] }, 'brackets'),
	],
	'the body of a response': (text) =>
		[text, JSON.stringify(text), JSON.stringify(templateWith(text))].map((body) =>
			outcomeOf(() => valueOf(ASKED, { status: 200, headers: {}, body, ...UNCHANGED }, templateOf)),
		),
	'the words of a refusal': (text) => [
		serviceMessage(text),
		serviceMessage(`<title>${text}`),
		serviceMessage(JSON.stringify({ message: text })),
	],
	'a failed request': (text) => {
		const request = { ...ASKED, path: text, template: text };
		const how = { isCancelled: false, redact: UNCHANGED.redact };
		const headers = { location: text, 'retry-after': text };
		return [
			statusFailure(request, { status: 400, headers, body: text, ...UNCHANGED }),
			statusFailure(request, { status: 302, headers, body: text, ...UNCHANGED }),
			thrownFailure(request, { code: text, message: text, syscall: text }, how),
			thrownFailure(request, { message: text }, how),
		];
	},
	'what may hold the key': (text) => [
		redactorOf('secret"key+/1.')(`secret${text}`),
		redactorOf('aaaaaaaa1')(text),
		redactorOf('\\'.repeat(12))(text),
		redactorOf(text.slice(0, 4_096))(text),
		decodedTexts(text),
	],
	'the name of a file': (text) => [
		describeFile({
			wantedName: text,
			listedName: text,
			fileId: text,
			url: `https://example.com/${text}`,
			headers: { 'content-type': text, 'content-disposition': `attachment; filename="${text}` },
			firstBytes: Buffer.from(text.slice(0, 1_024), 'latin1'),
		}),
		uniqueFileNames([`a${text}.jpg`, `a${text}.jpg`]),
		dispositionFileName(`attachment; filename="${'; filename*'.repeat(text.length / 10)}`),
	],
};

describe('twenty times the text takes at most about twenty times the work', () => {
	it.each(Object.entries(READERS))(
		'%s',
		(_, read) => {
			const work = (texts: readonly string[]) => () =>
				texts.map((text) => outcomeOf(() => read(text)));
			const slow = CHARACTERS.flatMap((character) => {
				const ratio = growthOf(work(textsOf(character, SHORT)), work(textsOf(character, LONG)));
				return ratio < MAX_RATIO ? [] : [`${JSON.stringify(character)}: ${ratio.toFixed(0)} times`];
			});
			expect(slow).toEqual([]);
		},
		120_000,
	);
});

it.each([3, 19])(
	"a cell doesn't take much more work than the list of all choices, if one has %i commas",
	(commas) => {
		const long = Array.from({ length: commas + 1 }, (_, n) => `p${String(n)}`).join();
		const choices = ['a', 'b', long];
		const question = questionOf('checkbox', { choices });
		const read = (text: string) => () => readAnswer(question, text, READING);
		const cells = [10, 40, 100, 1_000, 49_900].flatMap((times) =>
			['a,', 'p0,', '"a",', '"', 'ab '].map((part) => part.repeat(times)),
		);
		const ratios = cells.map((cell) => growthOf(read(choices.join()), read(cell)));
		expect(Math.max(...ratios)).toBeLessThan(MAX_RATIO);
	},
);
