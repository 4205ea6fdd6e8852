// @module-tag slow
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
	differOnlyInTimestamps,
	isStoredAs,
	meansSame,
} from '#connector/domain/answer/sameAnswer.ts';
import type { JsonRecord, JsonValue } from '#connector/domain/json.ts';
import { formOf } from '#connector/domain/template/form.ts';
import type { Question } from '#connector/domain/template/questions.ts';
import { questionOf } from '#harness/forms.mts';
import { anyTemplate } from '#harness/generatedTemplate.mts';
import type { Control } from '#sandbox/service/model.mts';
import { defaultSettings, type SandboxSettings } from '#sandbox/service/settings.mts';
import { storedValue } from '#sandbox/service/storedValue.mts';
import { legalAnswers } from './generatedAnswers.mts';

/** Returns a cell as Create compares it: its question, its text, its parsed value, and its problem. */
const cell = (question: Question, given: string, value = given, message?: string) => ({
	question,
	given,
	value,
	problem: message === undefined ? undefined : { value: given, message },
});

describe('two cells for one question', () => {
	const gates = { choices: ['Gate 4', 'Gate  4'] };
	it.each<[string, JsonRecord, string, string, boolean]>([
		['text', {}, 'Gate 4', ' Gate\u00a04', true],
		['text', {}, 'Gate 4', 'Gate 5', false],
		['text', {}, 'at 2026-05-31T14:30:00Z', 'at 2026-05-31T14:30:59Z', true],
		['text', {}, 'at 2026-05-31T14:30:00Z', 'at 2026-05-31T14:31:00Z', false],
		['radio', gates, 'Gate 4', 'Gate  4', false],
		['radio', gates, 'Gate 4', 'Gate 4', true],
	])('are compared as %s %j: %j with %j: %s', (...[type, options, a, b, expected]) => {
		const question = questionOf(type, options);
		expect(meansSame(cell(question, a), cell(question, b))).toBe(expected);
	});

	it("are equal by their text if one can't be parsed", () => {
		const of = (given: string, message?: string) => cell(questionOf('number'), given, '1', message);
		expect(meansSame(of('x', 'no'), of('x', 'no'))).toBe(true);
		expect(meansSame(of('x', 'no'), of('y', 'no'))).toBe(false);
		expect(meansSame(of('x', 'no'), of('y'))).toBe(false);
		expect(meansSame(of('x'), of('y', 'no'))).toBe(false);
	});

	it('are equal if they are two days of $now, with midnight between the rows', () => {
		const of = (at: string) => cell(questionOf('date'), at, `${at.slice(0, 10)}T00:00:00.000Z`);
		expect(meansSame(of('2026-05-31T23:59:50Z'), of('2026-06-01T00:00:10Z'))).toBe(true);
		expect(meansSame(of('2026-05-31T23:59:50Z'), of('2026-06-01T00:01:10Z'))).toBe(false);
	});
});

describe('text that differs only in times', () => {
	const AT = '2026-05-31T14:30:00';
	it.each<[string, string, boolean]>([
		[`Walk ${AT}.123Z`, 'Walk 2026-05-31T14:30:59Z', true],
		[`Walk ${AT}Z`, 'Walk 2026-05-31T14:31:00Z', false],
		[`Walk ${AT}Z`, `Run ${AT}Z`, false],
		[`${AT}+02:00`, '2026-05-31T12:30:30Z', true],
		[`${AT}+02:00 x`, `${AT}-02:00 x`, false],
		[`${AT}Z, ${AT}Z`, `2026-05-31T14:30:10Z, ${AT.replace('14', '15')}Z`, false],
		[`${AT}Z`, `${AT}Z ${AT}Z`, false],
		['at noon', 'at night', false],
		['at noon', 'at noon', true],
		[AT, '2026-05-31T14:30:10', true],
		[AT, '2026-05-31T14:31:00', false],
		['2026-99-31T14:30:00Z', '2026-99-31T14:30:10Z', false],
		[`${AT} to ${AT}Z`, `${AT} to 2026-05-31T14:30:10Z`, true],
	])('is compared to the minute, %s with %s: %s', (a, b, expected) => {
		expect(differOnlyInTimestamps(a, b)).toBe(expected);
	});
});

/** Returns a question of this type. The type `moment` is a date question that also asks for the time. */
const questionFor = (type: string) =>
	type === 'moment' ? questionOf('date', { show_time: true }) : questionOf(type);

const TEN = '2026-05-31T10:00:00.000Z';

describe('a stored answer', () => {
	it.each<[string, JsonValue, JsonValue[], JsonValue[]]>([
		['number', 5, ['5.0'], [null]],
		['number', '12345678901234567890', [12345678901234567890], []],
		['number', 16_777_217, [16_777_216], []],
		['number', 16_777_219, [], [16_777_216]],
		['number', 1e300, [], [1e200]],
		['number', 5e38, [], [6e38]],
		['number', 0, [], ['', false, null]],
		['number', 'x', [], ['y']],
		['moment', TEN, ['2026-05-31T12:00:00+02:00'], ['2026-05-31']],
		['moment', '2026-05-31T10:00:00.987654Z', ['2026-05-31T10:00:00'], ['2026-05-31T10:00:01Z']],
		['date', TEN, ['2026-05-31', '2026-05-31T00:00:00Z'], ['2026-06-01', null, 'soon']],
		['date', 'soon', [], [TEN]],
		['checkbox', ['A', 'B'], [], [['A'], 'A, B, C', 'A']],
		['checkbox', ['A'], [], [['A', 'B']]],
		['checkbox', ['1', '2'], [[2, 1]], []],
		['checkbox', ['A', 'B', 'C, D'], ['C, D; B; A'], []],
		['checkbox', ['A', 'B', 'A, B'], ['A, B, A, B'], []],
		['dropdown', 'A', [['A']], []],
		['dropdown', [' A, B '], ['A, B'], []],
		['radio', 'A', [], ['a']],
		['text', '5', [5], []],
		['text', 'a b', [], ['a  b']],
		['text', 'a', [], ['A']],
		['text', 'a\rb', ['a\nb'], []],
		['text', '{"a":1}', [], [{ a: 1 }]],
	])(
		'is compared as %s: sent as %j, it matches each of %j, but not %j',
		(type, sent, same, others) => {
			const isStored = (stored: JsonValue) => isStoredAs(questionFor(type), sent, stored);
			expect([same.map(isStored), others.map(isStored)]).toEqual([
				same.map(() => true),
				others.map(() => false),
			]);
		},
	);
});

describe('a service that stores answers in its own format', () => {
	const oneOf = <Form extends string>(...forms: Form[]) =>
		fc.constantFrom('asSent' as const, ...forms);
	const settings: fc.Arbitrary<SandboxSettings> = fc
		.record({
			storedTexts: oneOf('trimmed'),
			storedLineBreaks: oneOf('lf'),
			storedNumbers: oneOf('text', 'float32'),
			storedDates: oneOf('ms', 's', 'utc'),
			storedChoices: oneOf('array', 'reordered', 'joined'),
		})
		.map((drawn) => ({ ...defaultSettings(), ...drawn }));
	const ends = fc.constantFrom('', ' ', '\r\n', '\u00a0', '\t\n');

	/**
	 * Returns an answer as users might send it: text has spaces and line breaks at their ends, and times have digits
	 * below a millisecond.
	 */
	const asGiven = (question: Question, value: JsonValue, [before, after]: [string, string]) => {
		if (question.type === 'text' && typeof value === 'string') return `${before}${value}${after}`;
		if (question.type !== 'date' || typeof value !== 'string') return value;
		return value.replace('Z', `${String(before.length)}${String(after.length)}9Z`);
	};
	const controlOf = ({ type, choices }: Question): Control => ({
		id: '',
		fieldId: '',
		type,
		label: '',
		multiple: true,
		options: { choices: [...choices] },
		parents: [],
		parentId: null,
		childIds: [],
		repeatableId: null,
	});

	const filled = anyTemplate.chain((template) => legalAnswers(formOf(template)));

	it("isn't reported for changing them, unless it loses one", () => {
		fc.assert(
			fc.property(filled, settings, fc.tuple(ends, ends), (planned, drawn, around) => {
				for (const { question, value } of planned) {
					const sent = asGiven(question, value, around);
					const kept = storedValue(sent, controlOf(question), drawn);
					// A service with 32-bit numbers turns a larger number into infinity, which JSON can't represent.
					const isLost = kept === Infinity || kept === -Infinity;
					const read: JsonValue = JSON.parse(JSON.stringify(kept));
					expect([sent, read, isStoredAs(question, sent, read)]).toEqual([sent, read, !isLost]);
				}
			}),
			{ numRuns: 300 },
		);
	});
});

describe('one answer in two columns', () => {
	it.each<[string, JsonValue, JsonValue, boolean]>([
		['number', 16_777_217, 16_777_216, false],
		['number', '-0', '0.00', true],
		['number', '-5', '5', false],
		['number', '12e-1', '1.20', true],
		['number', '100', '1e2', true],
		['number', '1e400', '1e401', false],
		['radio', '1', 1, true],
		['text', 'a', 'a ', true],
		['text', 'a', 'b', false],
		['checkbox', ['A', 'B'], ['B', 'A'], true],
		['date', '2026-05-31T00:00:00.000Z', TEN, true],
		['moment', '2026-05-31T00:00:00.000Z', TEN, false],
	])('is compared as %s: %j with %j: %s', (type, a, b, expected) => {
		const [one, other] = [a, b].map((value) => {
			return { question: questionFor(type), value, given: value, problem: undefined };
		});
		expect(one && other && meansSame(one, other)).toBe(expected);
	});
});
