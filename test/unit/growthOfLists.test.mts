// @module-tag slow
// Tests that ten times as many controls, columns, choices, or answers take about ten times the work. Work is counted, not
// timed.
import { expect, it } from 'vitest';

import { readChoices } from '#connector/domain/answer/choices.ts';
import { draftOf } from '#connector/domain/create/draft.ts';
import { groupRows } from '#connector/domain/create/groupRows.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { nearestName } from '#connector/domain/nearestName.ts';
import { choiceJoiner } from '#connector/domain/row/cell.ts';
import { answerRecordsOf } from '#connector/domain/row/placedAnswer.ts';
import { rowsOf } from '#connector/domain/row/row.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { questionsOf } from '#connector/domain/template/questions.ts';
import { countedWork } from '#harness/countedWork.mts';
import { guid } from '#harness/generatedTemplate.mts';
import { rowOf } from '#harness/madeOfRows.mts';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const named = (name: string, count: number) => numbers(count).map((n) => `${name}${String(n)}`);
const control = (id: string, type: string, label: string, others: object = {}) => ({
	id,
	field_id: id,
	type,
	label,
	...others,
});
const REPEATABLE = { settings: { is_repeatable: true } };

/**
 * Returns a form with a repeatable section that contains `count` plain sections with one question each. `outerOf`
 * returns the section around each of them.
 */
const plainSections = (count: number, outerOf: (n: number) => string) => {
	const controls = numbers(count).flatMap((n) => [
		control(guid(n), 'section', `Part ${String(n)}`, { parent_id: outerOf(n) }),
		control(`q${String(n)}`, 'text', 'Question', { parent_id: guid(n) }),
	]);
	return formOf({
		data: { controls: [control('all', 'section', 'All', REPEATABLE), ...controls] },
	});
};

const HOW = { timeZone: 'UTC', groupColumns: [] };

/** Returns a function that reads an item. The item has an object for each plain section of the form. */
const mapsEachSection = (count: number, outerOf: (n: number) => string) => {
	const form = plainSections(count, outerOf);
	const element = Object.fromEntries(
		numbers(count).map((n) => [`Part ${String(n)}`, { Question: 'x', [`q${String(n)}`]: 'x' }]),
	);
	return () => draftOf(form, [rowOf({ 'section:all': [element] })], HOW, new Map());
};

/** Returns an inspection of the template `t` with `count` answers. */
const inspectionWith = (count: number, answerOf: (n: number) => JsonRecord) => {
	const answer = { response: { value: 'x' } };
	const items = numbers(count).map((n) => ({
		field_id: `x${String(n)}`,
		...answer,
		...answerOf(n),
	}));
	return { id: 'i', template: { id: 't' }, data: { items } };
};

/** Functions that prepare an input of size `count`, and return the work to measure. */
const COUNTED: Readonly<Record<string, (count: number) => () => unknown>> = {
	'controls, each in the one before': (count) => {
		const controls = numbers(count).map((n) =>
			control(guid(n), n % 2 === 0 ? 'section' : 'text', `Level ${String(n)}`, {
				parent_id: n === 0 ? null : guid(n - 1),
				...(n === 0 ? REPEATABLE : {}),
			}),
		);
		return () => questionsOf({ data: { controls } });
	},
	'objects for plain sections side by side': (count) => mapsEachSection(count, () => 'all'),
	'objects for plain sections, each in the one before': (count) =>
		mapsEachSection(count, (n) => (n === 0 ? 'all' : guid(n - 1))),
	'columns for questions of one label': (count) => {
		const form = plainSections(count, () => 'all');
		const item = Object.fromEntries(named('Question:', count).map((name) => [name, 'x']));
		return () => draftOf(form, [rowOf(item)], HOW, new Map());
	},
	'rows of many groups': (count) => {
		const rows = numbers(2 * count).map((n) => ({ No: n % count, Room: 'R' }));
		return () => groupRows(rows, ['No']);
	},
	'choices, joined and read': (count) => {
		const choices = named('Choice ', count);
		return () => readChoices(choiceJoiner(choices)(choices), choices);
	},
	'choices with commas, known and not known, joined and read': (count) => {
		const choices = named('Choice, ', count);
		return () => [choices, []].map((known) => readChoices(choiceJoiner(known)(choices), known));
	},
	'unknown choices': (count) => {
		const choices = named('Choice ', count);
		return () => readChoices(choices.map((choice) => `${choice}!`).join(), choices);
	},
	'answers outside sections, whose questions were removed': (count) => {
		const controls = named('Section ', 20 * count).map((label, n) =>
			control(`s${String(n)}`, 'section', label, { path: label, ...REPEATABLE }),
		);
		const template = formOf({ data: { controls } });
		const inspection = inspectionWith(count, (n) => ({ path: `Gone/Answer ${String(n)}` }));
		return () => answerRecordsOf([inspection], new Map([['t', template]]));
	},
	'answers whose names and ids are all names of questions or integers': (count) => {
		const fieldId = (n: number) => String(100_000 + n);
		const controls = numbers(3 * count).map((n) =>
			control(`c${String(n)}`, 'text', `1 (${fieldId(n)})`),
		);
		const templates = new Map([['t', formOf({ data: { controls } })]]);
		const inspection = inspectionWith(3 * count, (n) => ({ path: '1', field_id: fieldId(n) }));
		const options = {
			...({ columnNames: 'label', rowPerInstanceOf: undefined } as const),
			hasFiles: false,
			hasDownloads: false,
		};
		return () => rowsOf([inspection], templates, options);
	},
	'columns that are equally near': (count) => {
		const names = numbers(count).map((n) => `Weather ${String.fromCharCode(0x4e00 + n)}`);
		return () => nearestName('Weather x', names);
	},
};

/**
 * Returns how many times as much work `long` is as `short`. Measures only the second run, because the first run fills
 * caches.
 */
async function growthOf(short: () => unknown, long: () => unknown): Promise<number> {
	short();
	long();
	return (await countedWork(long)) / (await countedWork(short));
}

it.each(Object.entries(COUNTED))(
	'the work for ten times as many %s is ten times as much',
	async (_, made) => {
		expect(await growthOf(made(100), made(1_000))).toBeLessThan(12);
	},
);

it('the work for field IDs that are columns of sections grows like their text', async () => {
	const made = (count: number) => {
		const controls = numbers(count).map((n) => ({
			...control(`s${String(n)}`, 'section', `Section ${String(n)}`, REPEATABLE),
			field_id: `${'section:'.repeat(n)}f`,
		}));
		return () => questionsOf({ data: { controls } });
	};
	expect(await growthOf(made(50), made(500))).toBeLessThan(120);
});

it('the work for a row grows with its answers, not with its empty cells', async () => {
	const workOf = async (questions: number, answers: number) => {
		const controls = numbers(questions).map((n) =>
			control(`x${String(n)}`, 'text', `X${String(n)}`),
		);
		const forms = new Map([['t', formOf({ data: { controls } })]]);
		const rows = (count: number) => () =>
			rowsOf(
				numbers(count).map(() => inspectionWith(answers, () => ({}))),
				forms,
				{ columnNames: 'label' },
			);
		rows(1)();
		// Subtracts the work for the columns, which is done once.
		return (await countedWork(rows(110))) - (await countedWork(rows(10)));
	};
	const work = await workOf(100, 20);
	expect((await workOf(1_000, 20)) / work).toBeLessThan(1.1);
	expect((await workOf(1_000, 200)) / work).toBeGreaterThan(5);
});
