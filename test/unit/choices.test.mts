import { describe, expect, it } from 'vitest';

import { readAnswer } from '#connector/domain/answer/answer.ts';
import { readChoices } from '#connector/domain/answer/choices.ts';
import { problemMessage } from '#connector/domain/problem.ts';
import { questionOf } from '#harness/forms.mts';

describe('reading choices from n8n values', () => {
	it.each<[unknown, string[], string[]]>([
		['Red, Blue', ['Red', 'Green', 'Blue'], ['Red', 'Blue']],
		['Red\r\nBlue\n', ['Red', 'Green', 'Blue'], ['Red', 'Blue']],
		['["Red","Blue"]', ['Red', 'Blue'], ['Red', 'Blue']],
		[['Red', '', null, undefined, 'Red'], ['Red', 'Blue'], ['Red']],
		[' red ', ['Red', 'Blue'], ['Red']],
		['red', ['Red', 'red'], ['red']],
		['Yes, with care, No', ['Yes', 'Yes, with care', 'No'], ['Yes, with care', 'No']],
		['A, "B, C"', ['A', 'A, B', 'B, C'], ['A', 'B, C']],
		['A; "B, C" ;', ['A', 'B, C'], ['A', 'B, C']],
		['A, B, C', ['A', 'B', 'A, B', 'C'], ['A, B', 'C']],
		['Elevee; TRES elevee', ['Élevée', 'Très élevée', 'Faible'], ['Élevée', 'Très élevée']],
		['élevé', ['Eleve', 'Élevé'], ['Élevé']],
		['A, A; B,,,, B, ,', ['A', 'B'], ['A', 'B']],
		['A, A, B, B, A', ['A', 'B'], ['A', 'B']],
		['2" pipe, 4" pipe', ['2" pipe', '4" pipe'], ['2" pipe', '4" pipe']],
		['"2"" pipe", none', ['2" pipe', 'none'], ['2" pipe', 'none']],
		['[1]', ['[1]', '1'], ['[1]']],
		[true, ['Yes', 'No', 'N/A'], ['Yes']],
		[true, ['true', 'false', 'Yes', 'No'], ['true']],
		['TRUE', ['Yes', 'No'], ['Yes']],
		[' false', ['yes', 'no', 'n/a'], ['no']],
		[['True', ''], ['Yes', 'No'], ['Yes']],
		['TRUE', ['true', 'Yes', 'No'], ['true']],
		[0, ['0', '1'], ['0']],
		[[1], ['1', 'true'], ['1']],
		['', ['A'], []],
		[
			['', 'A'],
			['A', ''],
			['', 'A'],
		],
		['"", A', ['A', ''], ['', 'A']],
		['"", A', ['A'], ['A']],
		['"", A', [], ['A']],
		[', A', ['A', ''], ['A']],
		[[], ['A'], []],
		['anything, at all', [], ['anything', 'at all']],
		['"anything, at all"; "so ""to"" say"', [], ['anything, at all', 'so "to" say']],
		['"anything, at all" ; more', [], ['anything, at all', 'more']],
		['"anything" at all, more', [], ['"anything" at all', 'more']],
		['["a, b","c"]', [], ['a, b', 'c']],
		['J\u00e4hrlich, NIE', ['Ja\u0308hrlich', 'Nie'], ['Ja\u0308hrlich', 'Nie']],
		['Hi-vis  vest', ['Hi-vis\u00a0vest'], ['Hi-vis\u00a0vest']],
		['line one\r\nline two, x', ['line one\nline two', 'x'], ['line one\nline two', 'x']],
		[['e\u0301'], ['\u00e9', 'e\u0301'], ['e\u0301']],
	])('finds %j among %j', (given, choices, expected) => {
		expect(readChoices(given, choices)).toEqual({ choices: expected });
	});

	it.each<[unknown, string[], string[]]>([
		['Purple', ['Red'], ['Purple']],
		[true, ['Yes', 'Maybe'], ['true']],
		['TRUE', ['Yes', 'Maybe'], ['TRUE']],
		[1, ['Yes', 'No'], ['1']],
		[{ a: 1 }, ['Red'], ['{"a":1}']],
		['RED', ['Red', 'reD'], ['RED']],
		['a\u00a0 b', ['a\u00a0b', 'a b'], ['a\u00a0 b']],
		['ab', ['a b'], ['ab']],
		['eleve', ['Élevé', 'Elevè'], ['eleve']],
		// Matching begins at the left and prefers the longest choice. After "A, B", the rest is "C", which isn't a choice.
		['A, B, C', ['A', 'A, B', 'B, C'], ['C']],
		['"A, D", B', ['A', 'B'], ['A, D']],
	])("doesn't find %j in %j", (given, choices, unknown) => {
		expect(readChoices(given, choices)).toEqual({ unknown });
	});

	it('rejects text that exceeds the length of all quoted choices by more than 500 characters', () => {
		const longest = 'A'.padEnd(500 + 'A", "B'.length);
		expect(readChoices(longest, ['A', 'B'])).toEqual({ choices: ['A'] });
		expect(readChoices(`${longest} `, ['A', 'B'])).toEqual({ unknown: [`${longest} `] });
		expect(readChoices([longest, 'B'], ['A', 'B']).unknown).toHaveLength(1);
	});

	it('finds a choice with many commas in any notation', () => {
		const long = Array.from({ length: 30 }, (_, number) => `part ${number}`).join(', ');
		for (const given of [long, `"${long}", x`, [long, 'x']]) {
			expect(readChoices(given, [long, 'x']).choices).toContain(long);
		}
	});
});

describe('a choice that Excel changed to a date', () => {
	const problemOf = (given: unknown, ...choices: string[]) => {
		const { problem } = readAnswer(questionOf('radio', { choices }), given, { timeZone: 'UTC' });
		return problem && problemMessage(problem);
	};

	it.each([46024, '46024'])('is explained for %j', (given) => {
		expect(problemOf(given, '1-2', '3-4')).toMatch(
			/"?46024"? isn't one of its choices: 1-2 \| 3-4. Excel may have changed a choice such as "1-2" to the day 2026-01-02. Format the column as text in Excel, and enter the choices again$/,
		);
	});

	it("isn't suspected without such a choice, or for another number", () => {
		expect(problemOf(46024, 'Dry', '1-2-3')).toMatch(/choices: Dry \| 1-2-3$/);
		expect(problemOf(12, '1-2', '3-4')).toMatch(/choices: 1-2 \| 3-4$/);
		expect(problemOf('x', '1-2', '3-4')).toMatch(/choices: 1-2 \| 3-4$/);
	});
});
