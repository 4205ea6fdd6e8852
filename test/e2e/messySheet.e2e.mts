/**
 * Sheets as people leave them, through a real n8n: an Excel file is read by n8n's own nodes and goes into Create. Either
 * it makes what it means, or nothing is sent and the message names the row, the column and what would be right.
 */
import { join } from 'node:path';

import { expect, it } from 'vitest';
import writeExcelFile from 'write-excel-file/node';

import { hintsOf } from '#harness/n8nEditor.mts';
import { EXAMPLE_NODES, loadExample } from '#sandbox/demo/exampleWorkflow.mts';
import { connectedN8n } from './connectedN8n.mts';
import { storedAnswers } from './storedAnswers.mts';

type Cell = string | number | Date;
type Sheet = readonly (readonly Cell[])[];

const HEADER = [
	...['Walk', 'Site name', 'Date', 'Number of workers', 'Result', 'PPE'],
	...['Description', 'Severity'],
] as const;

const { sandbox, n8n, credential } = await connectedN8n('messySheet', { data: 'demo' });
const { filesFolder } = n8n;
const example = await loadExample('findings-to-inspections', { credential, filesFolder });

/** The lines of one walk: what belongs to the whole walk stands in the first. */
function walk(name: string, findings: number): Cell[][] {
	return Array.from({ length: findings }, (_, index) => [
		name,
		...(index === 0
			? [`Site ${name}`, '31.05.2026', '1.200,5', 'Fail', 'Helmet, Gloves']
			: ['', '', '', '', '']),
		`Finding ${String(index + 1)}`,
		'Low',
	]);
}

/** Ten walks of five lines: row 1 is the first line of the first walk. */
const fifty = () => Array.from({ length: 10 }, (_, index) => walk(`W${String(index)}`, 5)).flat();

/** The sheet with another value in a cell; `row` as the messages count it. */
function withCell(sheet: Sheet, row: number, column: (typeof HEADER)[number], value: Cell): Sheet {
	return sheet.map((cells, index) =>
		index === row ? cells.with(HEADER.indexOf(column), value) : cells,
	);
}

let files = 0;

/** Runs the example with an Excel file; what Create made, and what a person reads. */
async function runWith(sheet: Sheet, options?: object) {
	const file = join(filesFolder, `messy-${String((files += 1))}.xlsx`);
	const cells = sheet.map((row) =>
		row.map((value) =>
			value instanceof Date ? { value, type: Date, format: 'dd.mm.yyyy' } : { value },
		),
	);
	await writeExcelFile(cells).toFile(file);
	const changed: Readonly<Record<string, object>> = {
		'Read the file': { fileSelector: file },
		[EXAMPLE_NODES.rows]: { operation: 'xlsx', options: {} },
		...(options === undefined ? {} : { [EXAMPLE_NODES.create]: { options } }),
	};
	const nodes = example.nodes.map((node) => ({
		...node,
		parameters: { ...Object(node['parameters']), ...changed[String(node['name'])] },
	}));
	const { id } = await n8n.client.createWorkflow({ ...example, nodes });
	const before = sandbox.store.inspections().length;
	const execution = await n8n.client.run(id, EXAMPLE_NODES.start);
	const { message = '', description } = execution.error ?? {};
	return {
		told: `${message} ${(description ?? '').replaceAll(/<[^>]+>/g, ' ')}`,
		hints: hintsOf(execution, EXAMPLE_NODES.create),
		made: execution
			.items(EXAMPLE_NODES.create)
			.map(({ json }) => storedAnswers(sandbox, json['id'])),
		sent: sandbox.store.inspections().length - before,
	};
}

const ROOF = {
	...{ 'Site name': 'Site A', Date: '2026-05-31T00:00:00.000Z', 'Number of workers': 1200.5 },
	...{ Result: 'Fail', PPE: ['Helmet', 'Gloves'] },
	...{ Description: 'Finding 1', Severity: 'Low' },
};

it.each<[string, Sheet, object[]]>([
	[
		'lines of blanks below the last one',
		[HEADER, ...walk('A', 2), ['', '', '', ''], ['  ', ' ']],
		[{ ...ROOF, 'Description:2': 'Finding 2', 'Severity:2': 'Low' }],
	],
	['a line with nothing but its walk', [HEADER, ...walk('A', 1), ['A']], [ROOF]],
	[
		'blanks around a name',
		[HEADER, ...walk('A', 1), ...withCell(walk('A ', 1), 0, 'Site name', '')],
		[{ ...ROOF, 'Description:2': 'Finding 1', 'Severity:2': 'Low' }],
	],
	[
		'real dates and numbers, semicolons, another case',
		[
			HEADER,
			[
				'A',
				'Site A',
				new Date(Date.UTC(2026, 4, 31)),
				1200.5,
				'FAIL',
				'Helmet;Gloves',
				'Finding 1',
				'low',
			],
		],
		[ROOF],
	],
])('%s: makes what it means', async (_, sheet, made) => {
	const result = await runWith(sheet);
	expect(result).toMatchObject({ made, sent: made.length });
});

it('a column that nobody asks for is told in a hint', async () => {
	const result = await runWith([
		[...HEADER, 'Inspector'],
		[...(walk('A', 1)[0] ?? []), 'Joe'],
	]);
	expect(result).toMatchObject({ made: [ROOF] });
	expect(result.hints.join()).toContain('"Inspector"');
	expect(result.hints.join()).not.toContain('"Walk"');
});

it.each<[string, Sheet, string[]]>([
	[
		'typing errors in headers',
		[
			HEADER.map((name) => (name === 'Date' ? 'Dte' : name === 'Result' ? 'Reslt' : name)),
			...fifty(),
		],
		['50 of 50 rows', '"Dte" (did you mean "Date"?)', '"Reslt" (did you mean "Result"?)'],
	],
	[
		'one wrong cell of fifty',
		withCell([HEADER, ...fifty()], 33, 'Severity', 'Hgih'),
		[
			'"Severity", row 33 ("Walk" W6): "Hgih" (did you mean "High"?) is not among its choices',
			'1 of 50 rows has a problem',
		],
	],
	[
		'a date that does not exist, and a number with words',
		withCell(
			withCell([HEADER, ...fifty()], 6, 'Date', '31.04.2026'),
			11,
			'Number of workers',
			'12 people',
		),
		[
			'"Date", row 6 ("Walk" W1): "31.04.2026" is not a date; write it as dd.MM.yyyy, such as 31.05.2026',
			'"Number of workers", row 11 ("Walk" W2): "12 people" is not a number',
		],
	],
	[
		'a line without its walk',
		[HEADER, ...walk('A', 2), ['', '', '', '', '', '', 'Lost finding', 'Low']],
		['Group Rows By, row 3: no value in the column "Walk"'],
	],
	[
		'two sites for one walk',
		withCell([HEADER, ...walk('A', 3)], 3, 'Site name', 'Other site'),
		['"Site name", rows 1 to 3 ("Walk" A): row 1 says "Site A" and row 3 says "Other site"'],
	],
	[
		'a title above the header',
		[['Site walks May'], HEADER, ...walk('A', 2)],
		['there is no column "Walk"', 'header'],
	],
	[
		'the header of the walk misspelt',
		[['Walks', ...HEADER.slice(1)], ...walk('A', 2)],
		['there is no column "Walk" (did you mean "Walks"?)'],
	],
	[
		'a required cell left empty',
		withCell([HEADER, ...fifty()], 21, 'Site name', ''),
		['"Site name", rows 21 to 25 ("Walk" W4): required'],
	],
	[
		'what a broken formula leaves',
		withCell([HEADER, ...walk('A', 1)], 1, 'Number of workers', '#REF!'),
		['"Number of workers" (row 1): "#REF!" is not a number'],
	],
])('%s: nothing is sent, and the message says what would be right', async (_, sheet, told) => {
	const result = await runWith(sheet);
	for (const words of told) expect(result.told).toContain(words);
	expect(result.sent).toBe(0);
});

it('without the options for local dates and numbers the message names them', async () => {
	const { told, sent } = await runWith([HEADER, ...walk('A', 1)], { groupRowsBy: 'Walk' });
	expect(told).toContain('set the option Date Format to dd.MM.yyyy to read 2026-05-31');
	expect(told).toContain('set the option Decimal Separator to Comma to read 1200.5');
	expect(sent).toBe(0);
});
