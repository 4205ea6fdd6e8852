/**
 * Compares CONTRIBUTING.md with the code: the arrows with the imports, and the files and names in the table with what
 * their code does.
 */
import { existsSync, globSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { expect, test } from 'vitest';

import { readAnswer } from '#connector/domain/answer/answer.ts';
import { utcDateOf } from '#connector/domain/answer/dateAnswer.ts';
import { dateInFormat } from '#connector/domain/answer/dateFormat.ts';
import { isStoredAs } from '#connector/domain/answer/sameAnswer.ts';
import { yesNoOf } from '#connector/domain/answer/yesNo.ts';
import { checkpointAt, serializeCheckpoint } from '#connector/domain/changes/checkpoint.ts';
import { groupRows } from '#connector/domain/create/groupRows.ts';
import { itemsForModel } from '#connector/domain/itemsForModel.ts';
import { inspectionPageOf } from '#connector/domain/list/inspectionPage.ts';
import { listQueryString } from '#connector/domain/list/inspectionQuery.ts';
import { retryPolicyFor } from '#connector/domain/request/retryPolicy.ts';
import { explanationOf } from '#connector/domain/request/statusFailure.ts';
import { rowsOf } from '#connector/domain/row/row.ts';
import { editorNames, keysOf } from '#connector/domain/template/keys.ts';
import { BEGINNING_OF_TIME } from '#connector/domain/timestamp.ts';
import { templateColumns } from '#connector/methods/questionColumns.ts';
import { formWith, questionOf } from '#harness/forms.mts';
import { control, templateOf } from '#harness/generatedTemplate.mts';
import { projectFile, tableRows } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

const CONNECTOR = 'nodes/InspectionService';
const PAGE = projectFile('CONTRIBUTING.md');

/** Returns the part of the page below a heading. */
const section = (heading: string) => PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** Returns the paths of the modules that a module imports. */
function importsOf(file: string): string[] {
	const specifiers = projectFile(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
	return [...specifiers].map(([, path = '']) => normalize(join(dirname(file), path)));
}

/** Returns which part of the diagram a module belongs to. */
const boxOf = (file: string) =>
	file
		.replace(`${CONNECTOR}/`, '')
		.replace(/^[^/]+$/, '*.node.ts')
		.split('/')[0] ?? '';
const folderOf = (file: string) => /\/domain\/([^/]+)\//.exec(file)?.[1] ?? 'domain';

/** Returns all imports between different parts, each as `from ──► to`. */
function arrows(files: readonly string[], partOf: (file: string) => string): string[] {
	const found = files.flatMap((file) =>
		importsOf(file).map((other) => [partOf(file), partOf(other)] as const),
	);
	const between = found.filter(([from, to]) => from !== to);
	return [...new Set(between.map(([from, to]) => `${from} ──► ${to}`))].toSorted();
}

/** Returns the arrows of a diagram on the page. An arrow with several sources or targets counts as several arrows. */
function drawnArrows(picture: string): string[] {
	return [...picture.matchAll(/^ *(\S.*?) +──► (.+?)(?: {2,}|$)/gm)]
		.flatMap(([, from = '', to = '']) =>
			from.split(', ').flatMap((one) => to.split(', ').map((other) => `${one} ──► ${other}`)),
		)
		.toSorted();
}

test('the diagram has an arrow for each import between its boxes, and no others', () => {
	const [, rooms = '', , folders = ''] = section('The picture').split('```');
	const files = globSync('{nodes,credentials}/**/*.ts', { cwd: PROJECT });
	expect(drawnArrows(rooms)).toEqual(arrows(files, boxOf));
	const ofDomain = arrows(
		files.filter((file) => file.includes('/domain/')),
		folderOf,
	);
	// Ignores imports of files directly in domain. All folders of domain have such imports, so the diagram omits them.
	const own = ofDomain.filter((arrow) => !arrow.endsWith('──► domain'));
	expect(drawnArrows(folders)).toEqual(own);
});

const ROWS = tableRows(section('You want to …')).map(([want = '', change = '']) => ({
	want,
	/** The paths in the row, each with the names that follow in parentheses. */
	paths: [...change.matchAll(/`([^`]+)`(?: \(((?:`\w+`(?:, )?)+)\))?/g)].map(
		([, path = '', names = '']) => ({
			path: existsSync(join(PROJECT, path)) ? path : join(CONNECTOR, path),
			names: names.match(/\w+/g) ?? [],
		}),
	),
}));

test.each(ROWS)('the row "$want" leads to a declaration in an existing file', ({ paths }) => {
	expect(paths).not.toEqual([]);
	for (const { path, names } of paths) {
		expect(existsSync(join(PROJECT, path)), path).toBe(true);
		for (const name of names) {
			expect(projectFile(path), `${name} in ${path}`).toMatch(
				new RegExp(`^(?:export )?(?:async )?(?:function\\*?|const|class) ${name}\\b`, 'm'),
			);
		}
	}
});

const DATES = { timeZone: 'Europe/Berlin', showTime: false };
const QUESTIONS = formWith(control('text', 'Door'), control('text', 'Roof')).questions;
const INSPECTION = { id: '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f', name: 'Walk', data: [] };

/** For each name in the table that works without n8n, a check that its function does what the row says. */
const EFFECTS: Readonly<Record<string, () => void>> = {
	readAnswer: () => expect(readAnswer(questionOf('number'), ' 12 ', DATES)).toEqual({ value: 12 }),
	dateTimeOf: () =>
		expect(utcDateOf('Fri, 01 May 2026 08:00:00 GMT', DATES)).toMatch(/^2026-05-01/),
	dateInFormat: () =>
		expect(dateInFormat('5/31/2026', 'M/d/yyyy', 'UTC')?.date.toISODate()).toBe('2026-05-31'),
	yesNoOf: () => expect(yesNoOf({ choices: ['nein', 'ja'] })).toEqual({ yes: 'ja', no: 'nein' }),
	keysOf: () => expect(keysOf(QUESTIONS).find('DOOR').columns).toEqual(QUESTIONS.slice(0, 1)),
	editorNames: () => expect([...editorNames(QUESTIONS).values()]).toEqual(['Door', 'Roof']),
	groupRows: () => expect(groupRows([{ a: 1 }, { a: 2 }, { a: 1 }], 'a')).toHaveLength(2),
	isStoredAs: () => expect(isStoredAs(questionOf('number'), 0.1, Math.fround(0.1))).toBe(true),
	rowsOf: () => {
		const [[row] = []] = rowsOf([INSPECTION], new Map(), { columnNames: 'label' });
		expect(row).toMatchObject({ id: INSPECTION.id, name: 'Walk' });
	},
	inspectionPageOf: () =>
		expect(inspectionPageOf({ items: [INSPECTION] }, undefined, 10).inspections).toHaveLength(1),
	listQueryString: () => {
		const query = { sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 10 } as const;
		expect(listQueryString({ ...query, teamId: 'T' }, 'json')).toContain('team_id=T');
	},
	itemsForModel: () => expect(itemsForModel([{ a: 'x'.repeat(99) }], 50).leftOut).toBeDefined(),
	serializeCheckpoint: () =>
		expect(JSON.stringify(serializeCheckpoint(checkpointAt(BEGINNING_OF_TIME)))).toContain(
			'0001-01-01',
		),
	retryPolicyFor: () =>
		expect(retryPolicyFor('listInspections', 'serviceFailed').attempts).toBeGreaterThan(1),
	explanationOf: () => expect(explanationOf('getTemplate', 404).what).toMatch(/not found/),
	templateColumns: () => {
		const saved = { columns: [], mapped: new Set<string>(), isNew: true };
		const columns = templateColumns(templateOf([control('text', 'Door')]), saved);
		expect(columns.map(({ displayName }) => displayName)).toEqual(['Door']);
	},
};

test.each(Object.entries(EFFECTS))('%s of the table has the effect of its row', (name, effect) => {
	expect(ROWS.flatMap(({ paths }) => paths.flatMap(({ names }) => names))).toContain(name);
	effect();
});
