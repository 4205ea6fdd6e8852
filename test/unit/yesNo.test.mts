import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readAnswer } from '#connector/domain/answer/answer.ts';
import { doubtfulWord, yesNoWords } from '#connector/domain/answer/yesNo.ts';
import { saying } from '#connector/domain/problem.ts';
import { type Question, questionsOf } from '#connector/domain/template/questions.ts';
import { templateOf } from './generatedTemplate.mts';

function questionOf(type: string, choices: readonly string[]): Question {
	const [question] = questionsOf(
		templateOf([{ type, label: 'Q', options: { choices: [...choices] } }]),
	).questions;
	if (question === undefined) throw new Error(`${type} is no question`);
	return question;
}

interface Words {
	yes?: string[];
	no?: string[];
}

function read(question: Question, given: unknown, { yes = [], no = [] }: Words) {
	return readAnswer(question, given, { timeZone: 'UTC', words: yesNoWords(yes, no) });
}

function problemOf(question: Question, given: unknown, words: Words = {}) {
	const reading = read(question, given, words);
	return reading.kind === 'problem' ? saying(reading.problem) : reading.kind;
}

const WORDS = { yes: ['x', 'ja', 'WAHR', 'true', '1'], no: ['-', 'nein', 'false', '0'] };

describe('words for yes and no', () => {
	const cell = (words: string[], truth: boolean, digit: number) =>
		fc.oneof(
			fc
				.tuple(fc.constantFrom(...words), fc.boolean(), fc.constantFrom('', ' ', '\u00a0'))
				.map(([word, isUpper, blank]) => `${blank}${isUpper ? word.toUpperCase() : word}${blank}`),
			fc.constantFrom<unknown>(truth, digit, [truth], [digit]),
		);
	const pair = fc.constantFrom(
		['Yes', 'No'],
		['No', 'Yes'],
		['Nein', 'Ja'],
		['Fail', 'Pass'],
		['Not OK', 'OK'],
		['oui', 'autre'],
		['N', 'Y'],
		['Safe', 'At risk'],
	);
	/** The choice of each pair that means yes, told by hand. */
	const MEANS_YES = new Set(['Yes', 'Ja', 'Pass', 'OK', 'oui', 'Y', 'Safe']);

	it('are read as the two choices, whatever the cell is: text, number, boolean or a list of one', () => {
		fc.assert(
			fc.property(
				pair,
				fc.constantFrom('radio', 'dropdown'),
				fc.boolean(),
				fc.record({ yes: cell(WORDS.yes, true, 1), no: cell(WORDS.no, false, 0) }),
				// eslint-disable-next-line max-params -- the arguments of a property
				(choices, type, isYes, cells) => {
					const wanted = [...choices].find((choice) => MEANS_YES.has(choice) === isYes);
					expect(read(questionOf(type, choices), isYes ? cells.yes : cells.no, WORDS)).toEqual({
						kind: 'answer',
						value: wanted,
					});
				},
			),
			{ numRuns: 500 },
		);
	});

	it.each([
		['one', ['Yes']],
		['three', ['Yes', 'No', 'N/A']],
		['none that the template shows', []],
		['two that both mean yes', ['Ja', 'Yes']],
		['two that both mean no', ['No', 'Nein']],
	])('are not read for a question with choices, %s', (_, choices) => {
		const question = questionOf('dropdown', choices);
		for (const given of ['x', '-']) {
			expect(read(question, given, WORDS)).toEqual(read(question, given, {}));
		}
	});

	it('are read for a checkbox question only where a choice is called yes or no', () => {
		const calledYes = questionOf('checkbox', ['Nein', 'Ja']);
		expect(read(calledYes, 'x', WORDS)).toEqual({ kind: 'answer', value: ['Ja'] });
		expect(read(questionOf('checkbox', ['Dust', 'Noise']), 'x', WORDS).kind).toBe('problem');
	});

	it('never stand for a choice of another name that is called so', () => {
		const question = questionOf('radio', ['x', 'o']);
		expect(read(question, 'o', { yes: ['o'] })).toEqual({ kind: 'answer', value: 'o' });
		const turned = { yes: ['false'], no: ['true'] };
		expect(read(questionOf('radio', ['Yes', 'No']), false, turned)).toMatchObject({ value: 'Yes' });
		expect(read(questionOf('radio', ['True', 'False']), false, turned)).toMatchObject({
			value: 'False',
		});
	});

	it('leave true and false to mean Yes and No', () => {
		const question = questionOf('radio', ['Yes', 'No']);
		expect(read(question, false, { yes: ['x'] })).toEqual({ kind: 'answer', value: 'No' });
		expect(read(question, 'TRUE', { yes: ['x'] })).toEqual({ kind: 'answer', value: 'Yes' });
	});

	it.each<[string, string[], Words, string]>([
		[
			'y',
			['Nein', 'Ja'],
			{ yes: ['x', 'WAHR'], no: ['-'] },
			'"y" is not among its choices; possible: Nein (No Is: -) | Ja (Yes Is: x, WAHR)',
		],
		[
			'o',
			['Safe', 'At risk'],
			{ yes: ['x'] },
			'"o" is not among its choices; possible: Safe (Yes Is: x) | At risk (No Is is empty)',
		],
		[
			'x',
			['Yes', 'No'],
			{},
			'"x" is not among its choices; possible: Yes | No; the options Yes Is and No Is read other words for them',
		],
		['Snow', ['Dry', 'Wet'], {}, '"Snow" is not among its choices; possible: Dry | Wet'],
		['x', ['A', 'B', 'C'], WORDS, '"x" is not among its choices; possible: A | B | C'],
	])('are shown where %j fits neither of %j', (given, choices, words, problem) => {
		expect(problemOf(questionOf('radio', choices), given, words)).toBe(problem);
	});

	it('are in doubt where one means both', () => {
		const doubtOf = (yes: string[], no: string[]) => {
			const words = yesNoWords(yes, no);
			return words && doubtfulWord(words);
		};
		expect(doubtOf(['x', 'Ja'], ['-', ' JA '])).toBe(' JA ');
		expect(doubtOf(['x'], ['-'])).toBeUndefined();
		expect(yesNoWords([], [])).toBeUndefined();
	});
});
