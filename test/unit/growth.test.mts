import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readChoices } from '../../nodes/InspectionService/domain/answer/choices.ts';
import { draftOf } from '../../nodes/InspectionService/domain/create/rowAnswers.ts';
import { dispositionFileName } from '../../nodes/InspectionService/domain/file/fileName.ts';
import type { JsonRecord } from '../../nodes/InspectionService/domain/json.ts';
import { nearestName } from '../../nodes/InspectionService/domain/nearestName.ts';
import { answerRecordsOf } from '../../nodes/InspectionService/domain/row/answerRecords.ts';
import { choiceJoiner } from '../../nodes/InspectionService/domain/row/cell.ts';
import { knownTemplate, rowsOf } from '../../nodes/InspectionService/domain/row/row.ts';
import { serviceWords } from '../../nodes/InspectionService/domain/serviceWords.ts';
import { formOf } from '../../nodes/InspectionService/domain/template/form.ts';
import { questionsOf } from '../../nodes/InspectionService/domain/template/templateQuestions.ts';
import { PROJECT } from '../../scripts/projectPaths.mts';
import { GROWTH, NOT_FED } from './growthCases.mts';
import { rowOf } from './madeOfRows.mts';

const DOMAIN = join(PROJECT, 'nodes', 'InspectionService', 'domain');

/** Lengths (characters) that are compared: the second is ten times the first. */
const [SHORT, LONG] = [1_000, 10_000];
/**
 * Ten times the text is 10 times the work where it is linear and 100 times where it is quadratic. Half of that: a larger
 * text leaves the processor's caches, and was seen to take 32 times as much on a busy machine.
 */
const MAX_RATIO = 50;
/** Time (µs) that is long enough to be measured: shorter work is repeated. */
const MEASURABLE = 150;
/**
 * Rounds until a ratio counts, and measurements in each. The least of several measurements is the work itself: whatever
 * disturbs one (garbage, a function that is not compiled yet, the other core) can only add to it. A round begins anew,
 * because the engine may have thrown away compiled code between the short and the long text. Quadratic work fails them all.
 */
const [ROUNDS, MEASUREMENTS] = [5, 4];

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
];

/** The texts of one kind: at the beginning, in the middle and before something else, where patterns give up late. */
function textsOf(character: string, length: number): string[] {
	const run = character.repeat(Math.ceil(length / character.length));
	return [run, `${run}x`, `${run}1`, `1.${run}1`];
}

/**
 * The clock, in µs. Not the thread's CPU time: the kernel counts that in ticks of some ms on many machines, a hundred
 * times the work that is measured here.
 */
function clock(): number {
	return performance.now() * 1_000;
}

/** Time of one run, in µs; short work is repeated until the clock can tell. */
function workOf(work: () => unknown): number {
	for (let runs = 1; ; runs *= 4) {
		const started = clock();
		for (let run = 0; run < runs; run++) work();
		const spent = clock() - started;
		if (spent >= MEASURABLE) return spent / runs;
	}
}

function quietly(work: () => unknown): () => void {
	return () => {
		try {
			work();
		} catch {
			// What is refused is refused in linear time too.
		}
	};
}

/** How many times the work of the short one the long one takes, in the round that says the least. */
function growthOf(short: () => unknown, long: () => unknown): number {
	let ratio = Infinity;
	for (let round = 0; round < ROUNDS && ratio >= MAX_RATIO; round++) {
		ratio = Math.min(ratio, roundOf(short, long));
	}
	return ratio;
}

function roundOf(short: () => unknown, long: () => unknown): number {
	let [least, most, ratio] = [Infinity, Infinity, Infinity];
	for (let measurement = 0; measurement < MEASUREMENTS && ratio >= MAX_RATIO; measurement++) {
		least = Math.min(least, workOf(quietly(short)));
		most = Math.min(most, workOf(quietly(long)));
		ratio = most / least;
	}
	return ratio;
}

const FED = Object.entries(GROWTH).flatMap(([module, cases]) =>
	Object.entries(cases).flatMap(([name, fed]) =>
		'feeds' in fed ? [{ name: `${module} ${name}`, work: fed.feeds }] : [],
	),
);

describe('ten times the text takes at most some ten times the work', () => {
	it.each(FED)(
		'$name',
		({ work }) => {
			const slow = CHARACTERS.flatMap((character) => {
				const [short, long] = [textsOf(character, SHORT), textsOf(character, LONG)];
				const ratio = growthOf(
					() => short.map(work),
					() => long.map(work),
				);
				return ratio < MAX_RATIO ? [] : [`${JSON.stringify(character)}: ${ratio.toFixed(0)} times`];
			});
			expect(slow).toEqual([]);
		},
		120_000,
	);
});

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const controlsInOneAnother = (count: number) => ({
	data: {
		controls: numbers(count).map((n) => ({
			id: idOf(n),
			field_id: `f${String(n)}`,
			type: n % 2 === 0 ? 'section' : 'text',
			label: `Level ${String(n)}`,
			parent_id: n === 0 ? null : idOf(n - 1),
			settings: { is_repeatable: n === 0 },
		})),
	},
});

/** A repeatable section with plain sections in it, side by side or each in the one before, with a question in each. */
const plainSections = (count: number, outerOf: (n: number) => string) => ({
	data: {
		controls: [
			{
				id: 'all',
				field_id: 'all',
				type: 'section',
				label: 'All',
				settings: { is_repeatable: true },
			},
			...numbers(count).flatMap((n) => [
				{
					id: idOf(n),
					field_id: `s${String(n)}`,
					type: 'section',
					label: `Part ${String(n)}`,
					parent_id: outerOf(n),
				},
				{
					id: `q${String(n)}`,
					field_id: `q${String(n)}`,
					type: 'text',
					label: 'Question',
					parent_id: idOf(n),
				},
			]),
		],
	},
});

const HOW = { timeZone: 'UTC', isGrouped: false };

/** One element of the section's array with an object for each of its plain sections. */
const mapsEachSection = (count: number, outerOf: (n: number) => string) => {
	const form = formOf(plainSections(count, outerOf));
	const element = Object.fromEntries(
		numbers(count).map((n) => [`Part ${String(n)}`, { Question: 'x', [`q${String(n)}`]: 'x' }]),
	);
	return () => draftOf(form, rowOf({ 'section:all': [element] }), HOW);
};

/** An inspection of the template `t` with so many answers. */
const inspectionWith = (count: number, answerOf: (n: number) => JsonRecord) => ({
	id: 'i',
	template: { id: 't' },
	data: {
		items: numbers(count).map((n) => ({
			...{ field_id: `x${String(n)}`, response: { value: 'x' } },
			...answerOf(n),
		})),
	},
});

/** Work by the number of things, each made before it is measured. */
const COUNTED: Readonly<Record<string, (count: number) => () => unknown>> = {
	'controls, each in the one before': (count) => {
		const template = controlsInOneAnother(count);
		return () => questionsOf(template);
	},
	'objects for plain sections side by side': (count) => mapsEachSection(count, () => 'all'),
	'objects for plain sections, each in the one before': (count) =>
		mapsEachSection(count, (n) => (n === 0 ? 'all' : idOf(n - 1))),
	'columns for questions of one label': (count) => {
		const form = formOf(plainSections(count, () => 'all'));
		const item = Object.fromEntries(numbers(count).map((n) => [`Question:${String(n)}`, 'x']));
		return () => draftOf(form, rowOf(item), HOW);
	},
	'choices, joined and read': (count) => {
		const choices = numbers(count).map((n) => `Choice ${String(n)}`);
		return () => readChoices(choiceJoiner(choices)(choices), choices);
	},
	'choices that are not known, joined and read': (count) => {
		const choices = numbers(count).map((n) => `Choice, ${String(n)}`);
		return () => readChoices(choiceJoiner([])(choices), []);
	},
	'choices with commas, joined and read': (count) => {
		const choices = numbers(count).map((n) => `Choice, ${String(n)}`);
		return () => readChoices(choiceJoiner(choices)(choices), choices);
	},
	'unknown choices': (count) => {
		const choices = numbers(count).map((n) => `Choice ${String(n)}`);
		return () => readChoices(choices.map((choice) => `${choice}!`).join(), choices);
	},
	'comments of a web page that are not closed': (count) => {
		const page = `<html>${'<!--'.repeat(count)}`;
		return () => serviceWords(page);
	},
	'objects in one another that are not closed': (count) => {
		const body = '{"a":'.repeat(count);
		return () => serviceWords(body);
	},
	'parameters of a Content-Disposition': (count) => {
		const header = `attachment; filename="${'; filename*'.repeat(count)}`;
		return () => dispositionFileName(header);
	},
	'answers beside sections, whose questions are gone': (count) => {
		const sections = numbers(20 * count).map((n) => `Section ${String(n)}`);
		const template = knownTemplate({
			data: {
				controls: sections.map((label, n) => ({
					...{ id: `s${String(n)}`, field_id: `s${String(n)}`, type: 'section' },
					...{ label, path: label, settings: { is_repeatable: true } },
				})),
			},
		});
		const inspection = inspectionWith(count, (n) => ({ path: `Gone/Answer ${String(n)}` }));
		return () => answerRecordsOf([inspection], new Map([['t', template]]));
	},
	'answers whose names and ids are all names of questions or integers': (count) => {
		const fieldId = (n: number) => String(100_000 + n);
		const controls = numbers(3 * count).map((n) => ({
			...{ id: `c${String(n)}`, field_id: `f${String(n)}`, type: 'text' },
			...{ label: `1 (${fieldId(n)})` },
		}));
		const templates = new Map([['t', knownTemplate({ data: { controls } })]]);
		const inspection = inspectionWith(3 * count, (n) => ({ path: '1', field_id: fieldId(n) }));
		const options = {
			columnNames: 'label',
			rowPerInstanceOf: undefined,
			hasFiles: false,
			hasDownloads: false,
		} as const;
		return () => rowsOf([inspection], templates, options);
	},
	'columns that are equally near': (count) => {
		const names = numbers(count).map((n) => `Weather ${String.fromCharCode(0x4e00 + n)}`);
		return () => nearestName('Weather x', names);
	},
};

describe('ten times as many elements take at most some ten times the work', () => {
	it.each(Object.entries(COUNTED))(
		'%s',
		(_, made) => {
			expect(growthOf(made(500), made(5_000))).toBeLessThan(MAX_RATIO);
		},
		60_000,
	);
});

it('field ids that are columns of sections: a hundred times the text takes at most some hundred times the work', () => {
	const made = (count: number) => {
		const controls = numbers(count).map((n) => ({
			...{ id: `s${String(n)}`, field_id: `${'section:'.repeat(n)}f`, type: 'section' },
			...{ label: `Section ${String(n)}`, settings: { is_repeatable: true } },
		}));
		return () => questionsOf({ data: { controls } });
	};
	expect(growthOf(made(50), made(500))).toBeLessThan(MAX_RATIO * 10);
}, 120_000);

it('a text of a million characters with choices takes no longer than the longest that is divided', () => {
	const textOf = (length: number) => `${'1,'.repeat(length / 2 - 1)}1 `;
	const choices = ['1', '2', 'a, b'];
	const read = (length: number) => () => readChoices(textOf(length), choices);
	const shown = (length: number) => () => choiceJoiner(choices)([textOf(length)]);
	expect(growthOf(read(100_000), read(1_000_000))).toBeLessThan(5);
	expect(growthOf(shown(100_000), shown(1_000_000))).toBeLessThan(5);
}, 120_000);

describe('every public function', () => {
	const modules = readdirSync(DOMAIN, { recursive: true, encoding: 'utf8' })
		.map((path) => path.replaceAll('\\', '/'))
		.filter((path) => path.endsWith('.ts'));

	it.each(modules)('of %s is fed with long texts, or a reason says why not', async (module) => {
		const loaded = (await import(join(DOMAIN, module))) as Record<string, unknown>;
		const functions = Object.keys(loaded).filter((name) => typeof loaded[name] === 'function');
		const folder = `${module.split('/')[0] ?? ''}/`;
		const isKnown = (name: string) =>
			GROWTH[module]?.[name] !== undefined ||
			[folder, module, `${module}:${name}`].some((key) => NOT_FED[key] !== undefined);
		// A new function needs a line in growthCases.mts.
		expect(functions.filter((name) => !isKnown(name))).toEqual([]);
	});
});
