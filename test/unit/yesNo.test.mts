import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readAnswer } from '#connector/domain/answer/answer.ts';
import { yesNoWords } from '#connector/domain/answer/yesNo.ts';
import { problemMessage } from '#connector/domain/problem.ts';
import type { Question } from '#connector/domain/template/questions.ts';
import { questionOf } from '#harness/forms.mts';

const questionWith = (type: string, choices: readonly string[]) =>
	questionOf(type, { choices: [...choices] });

interface Words {
	yes?: string[];
	no?: string[];
}

function read(question: Question, given: unknown, { yes = [], no = [] }: Words) {
	return readAnswer(question, given, { timeZone: 'UTC', words: yesNoWords(yes, no) });
}

function problemOf(question: Question, given: unknown, words: Words = {}) {
	const { problem } = read(question, given, words);
	return problem && problemMessage(problem);
}

const WORDS = { yes: ['x', 'ja', 'WAHR', 'true', '1'], no: ['-', 'nein', 'false', '0'] };

const NOT_YES_NO =
	". 'Words for Yes' and 'Words for No' work only for two choices such as Yes and No, and for checkboxes with one choice. Write the choice itself";

describe('words for yes or no', () => {
	const cell = (words: string[], truth: boolean, digit: number) =>
		fc.oneof(
			fc
				.tuple(fc.constantFrom(...words), fc.boolean(), fc.constantFrom('', ' ', '\u00a0'))
				.map(([word, isUpper, blank]) => `${blank}${isUpper ? word.toUpperCase() : word}${blank}`),
			fc.constantFrom<unknown>(truth, digit, [truth], [digit]),
		);
	/** Pairs of choices. The second choice of each pair means yes. */
	const pair = fc.constantFrom(
		'No|Yes',
		'Nein|Ja',
		'Fail|Pass',
		'Not OK|OK',
		'Non|Oui',
		'No|Sí',
		'NIE|TAK',
		'Nee|Ja',
		'No|Sì',
		'Não|Sim',
		'N|Y',
		'0|1',
		'Off|On',
		'Aus|Ein',
		'uit|aan',
		'Fałsz|Prawda',
		'Faux|Vrai',
		'Apagado|Encendido',
		'Spento|Acceso',
		'Non-compliant|Compliant',
		'n.i.O.|i.O.',
		'n. i. O.|in Ordnung',
		'Niezgodny|Zgodny',
		'Nicht bestanden|Bestanden',
		'Pas propre|Propre',
		'Non conforme|Conforme',
		'Unsafe|Safe',
		'No cumple|Cumple',
		'Não visível|Visível',
		'Niet schoon|Schoon',
		'Not clean|Clean',
	);

	it('match the two choices in any kind of cell', () => {
		const type = fc.constantFrom('radio', 'dropdown', 'checkbox');
		const [yesCell, noCell] = [cell(WORDS.yes, true, 1), cell(WORDS.no, false, 0)];
		fc.assert(
			fc.property(pair, fc.boolean(), type, yesCell, noCell, (names, isTurned, type, ...cells) => {
				const [no = '', yes = ''] = names.split('|');
				const question = questionWith(type, isTurned ? [yes, no] : [no, yes]);
				const found = cells.map((given) => read(question, given, WORDS));
				const wanted = [yes, no].map((name) => (type === 'checkbox' ? [name] : name));
				expect(found).toEqual(wanted.map((value) => ({ value })));
			}),
			{ numRuns: 500 },
		);
	});

	it.each([
		['one', ['Yes']],
		['three', ['Yes', 'No', 'N/A']],
		['none that the template lists', []],
		['two that both mean yes', ['Ja', 'Yes']],
		['two that both mean no', ['No', 'Nein']],
	])("don't match a question with choices, %s", (_, choices) => {
		const question = questionWith('dropdown', choices);
		for (const given of ['x', '-']) {
			expect(Object.keys(read(question, given, WORDS))).toEqual(
				Object.keys(read(question, given, {})),
			);
		}
	});

	it.each(['Yes', 'Pass', 'i.O.', 'No', 'Nie', 'nicht OK'])(
		"such as %s alone don't determine the other choice",
		(name) => {
			const question = questionWith('radio', ['Other', name]);
			const values = ['x', '-'].map((given) => read(question, given, WORDS));
			expect(values).toContainEqual({ value: name });
			expect(values).toContainEqual({ problem: expect.anything() });
		},
	);

	it.each(
		'Dust|Noise, Safe|At risk, 1|2, N|S, On|Auto, Ein|Zwei, Inside|Outside, Door|Indoor'.split(
			', ',
		),
	)('are rejected with a list of the choices if neither is known as yes or no: %s', (pair) => {
		for (const [type, given] of Object.entries({ radio: 'x', checkbox: '-', dropdown: 'WAHR' })) {
			const list = pair.replace('|', ' | ');
			expect(problemOf(questionWith(type, pair.split('|')), given, WORDS)).toBe(
				`"${given}" isn't one of its choices: ${list}${NOT_YES_NO}`,
			);
		}
	});

	it.each<[string, string[], unknown, Words, string]>([
		['never replace a choice with that name', ['x', 'o'], 'o', { yes: ['o'] }, 'o'],
		['decide what false means', ['Yes', 'No'], false, { yes: ['false'], no: ['true'] }, 'Yes'],
		['prefer a choice with that name', ['True', 'False'], false, { yes: ['false'] }, 'False'],
		['leave false to mean No', ['Yes', 'No'], false, { yes: ['x'] }, 'No'],
		['leave TRUE to mean Yes', ['Yes', 'No'], 'TRUE', { yes: ['x'] }, 'Yes'],
	])('%s', (...[, choices, given, words, value]) => {
		expect(read(questionWith('radio', choices), given, words)).toEqual({ value });
	});

	const HINT = ". Set the options 'Words for Yes' and 'Words for No' to the words of your sheet";
	const ODD = { yes: ['x', 'WAHR'], no: ['-'] };
	it.each<[string, string[], Words, string]>([
		['y', ['Nein', 'Ja'], ODD, `Nein | Ja${HINT}`],
		['o', ['Safe', 'Unsafe'], { yes: ['x'] }, `Safe | Unsafe${HINT}`],
		['tak', ['Ja', 'Nein'], ODD, `Ja | Nein${HINT}`],
		['x', ['Yes', 'No'], {}, `Yes | No${HINT}`],
		['Snow', ['Dry', 'Wet'], {}, 'Dry | Wet'],
		['x', ['Yes', 'No', 'N/A'], WORDS, `Yes | No | N/A${NOT_YES_NO}`],
	])('are listed if %j matches neither of %j', (given, choices, words, possible) => {
		expect(problemOf(questionWith('radio', choices), given, words)).toBe(
			`"${given}" isn't one of its choices: ${possible}`,
		);
	});

	it('are ambiguous if one means both', () => {
		expect(() => yesNoWords(['x', 'Ja'], ['-', ' JA '])).toThrow(
			"The options 'Words for Yes' and 'Words for No' both have the word \" JA \". Remove it from one of them.",
		);
		expect(yesNoWords(['x'], ['-'])).toBeDefined();
		expect(yesNoWords([], [])).toBeUndefined();
	});
});

describe('a checkbox with one choice', () => {
	const box = questionWith('checkbox', ['I confirm']);
	const WORDS_OF_OPTIONS = { yes: ['erledigt', '-'], no: ['offen'] };

	it.each([
		'TRUE',
		true,
		'x',
		'X ',
		'yes',
		'Ja',
		'tak',
		'ИСТИНА',
		'✓',
		'✔\ufe0f',
		'☑',
		1,
		'1',
		'i confirm',
	])('is ticked by %j', (given) => {
		expect(read(box, given, {})).toEqual({ value: ['I confirm'] });
	});

	it.each(['FALSE', false, 'no', 'Nein', 'fałsz', 0, '0', '☐', '', ' ', null])(
		"isn't ticked by %j",
		(given) => {
			expect(read(box, given, {})).toEqual({});
		},
	);

	it.each([
		['Erledigt', ['I confirm']],
		['-', ['I confirm']],
		['offen', undefined],
	])('reads %j of the options as %j', (given, value) => {
		expect(read(box, given, WORDS_OF_OPTIONS)).toEqual(value === undefined ? {} : { value });
	});

	it.each(['maybe', 'xx', 2, '-', 'I deny'])('rejects %j', (given) => {
		expect(problemOf(box, given)).toMatch(/isn't one of its choices: I confirm/);
	});

	it('rejects words for yes or no if its choice means no', () => {
		const no = questionWith('checkbox', ['No']);
		expect(read(no, 'no', {})).toEqual({ value: ['No'] });
		expect(problemOf(no, 'TRUE')).toMatch(/isn't one of its choices/);
	});

	it.each(['radio', 'dropdown'])("isn't a %s with one choice", (type) => {
		expect(problemOf(questionWith(type, ['I confirm']), 'x')).toMatch(/isn't one of its choices/);
	});
});
