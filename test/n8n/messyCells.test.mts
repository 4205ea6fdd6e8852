/**
 * Tests Create with cells from real sheets: failed formulas, wrong encodings, shortened numbers, and days that are
 * stored as times.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { number, radio, repeatable, text } from '#harness/controls.mts';
import { createForTests, type CreateRun } from '#harness/createForTests.mts';

const { create, errorLines, stored, creates } = await createForTests([
	text('Area', 'area'),
	radio('Weather', 'weather', 'Dry – cold', 'Wet'),
	{ type: 'date', label: 'Day', fieldId: 'day' },
	number('Costs', 'costs'),
	{ type: 'checkbox', label: 'Gear', fieldId: 'gear', choices: ['Helmet', 'Gloves', 'Cap, red'] },
	repeatable('Finding', 'finding', [text('Remark', 'remark')]),
]);

const hintsOf = async (rows: IDataObject[], run: CreateRun = {}) => (await create(rows, run)).hints;
const timezone = 'Europe/Berlin';
const GROUPED = { groupRowsBy: 'Visit' };

test.each([
	[
		'#NV',
		/^Nothing was sent: 2 of 2 rows need a correction Group Rows By, rows 1 and 2 \("#NV"\): "#NV" in the column "Visit" was left by a failed formula/,
	],
	['Gate #REF!', /"Gate #REF!" in the column "Visit" contains #REF!, left by a failed formula/],
	[
		'4,00638E+12',
		/is a long number that lost its last digits, .*. Format the column as text in Excel/,
	],
	[4006381333931000000, /is a long number that lost its last digits/],
	['M\ufffdller', /could stand for different values\. Characters were lost/],
])('rows with the group %j never become one inspection', async (Visit, message) => {
	const rows = ['A', 'B'].map((Area) => ({ Visit, Area }));
	expect((await errorLines(rows, { options: GROUPED })).join(' ')).toMatch(message);
	expect(creates()).toBe(0);
});

test.each([
	[
		"={{ $json.Site }}-{{ DateTime.fromISO($json.Tag).toFormat('yyyy-MM-dd') }}",
		'Invalid DateTime',
	],
	['={{ $json.Site }}-{{ $json.No }}', '#BEZUG!'],
	['={{ $json.Site }}-{{ $json.Code }}', 'last digits'],
])('rejects a unique key that other rows would get as well: %s', async (uniqueKey, message) => {
	const row = { Area: 'A', Site: 'Roof', Tag: '31.05.2026', No: '#BEZUG!', Code: '4.00638E+12' };
	await expect(create([row], { uniqueKey })).rejects.toThrow(message);
	expect(creates()).toBe(0);
});

const FAILED = [
	{ Area: 'Gate – #REF!', Name: 'A' },
	{ Area: 'B', Name: 'Walk #NV' },
];
const NAMED = { name: '={{ $json.Name }}' };

test('reports what a failed formula left, in a hint after sending or as a problem in Check Only', async () => {
	expect(await hintsOf(FAILED, NAMED)).toEqual([
		'A failed formula or expression left these values, and Create sends them unchanged: "Area" in row 1: "Gate – #REF!"; Name in row 2: "Walk #NV". Fix the cells, or the expression.',
	]);
	const { jsons, hints } = await create(FAILED, {
		...NAMED,
		options: { checkOnly: true },
		others: { output: 'raw' },
	});
	const problem = (about: string) =>
		`${about}, left by a failed formula or expression. Correct the cell or the expression.`;
	expect(jsons).toMatchObject([
		{ ok: false, problems: problem('"Area" (row 1): "Gate – #REF!" contains #REF!') },
		{ ok: false, problems: problem('Name (row 2): "Walk #NV" contains #NV') },
	]);
	expect(jsons.every(({ request }) => typeof request === 'string')).toBe(true);
	expect(hints[0]).toContain('nothing was sent');
});

test('reports a failed formula in a date, number, or choice as such', async () => {
	const row = { Day: '#WERT!', Costs: '#DIV/0!', Weather: '#N/D' };
	const [, ...lines] = await errorLines([row]);
	expect(lines).toHaveLength(3);
	for (const line of lines) expect(line).toMatch(/can't be read: #.* was left by a failed formula/);
});

test('repairs Windows-1252 read as Latin1 everywhere, from column names to unique keys', async () => {
	const rows = [
		{
			'Visit \u0096': 'V\u0096' + '1',
			Area: '\u0084Gate\u0093',
			Weather: 'Dry \u0096 cold',
			Name: '20 \u0080',
		},
		{ 'Visit \u0096': 'V–1', Area: '„Gate“', Remark: '5 \u0096 6 mm', Name: '20 €' },
	];
	const run: CreateRun = {
		name: '={{ $json.Name }}',
		uniqueKey: '={{ $json["Visit \u0096"] }}',
		options: { groupRowsBy: 'Visit –' },
	};
	const { names, hints } = await create(rows, run);
	expect(names).toEqual(['20 €']);
	expect(stored()).toEqual([['Area=„Gate“', 'Weather=Dry – cold', 'Remark:1=5 – 6 mm']]);
	expect(hints).toEqual([
		expect.stringMatching(/^Characters such as – and € were repaired in "Visit –", .*"Remark"/),
	]);
	// The same row from a correctly read file has the same unique key, so no second inspection is created.
	const again = await create([{ 'Visit –': 'V–1', Area: 'B' }], {
		uniqueKey: '={{ $json["Visit –"] }}',
	});
	expect(again.jsons).toMatchObject([{ already_existed: true }]);
});

test('a column name with such characters is the question’s column, however it is mapped', async () => {
	const { hints } = await create([{ Zone: '5 \u0096 6' }], {
		columns: { area: '=At {{ $json.Zone }}' },
	});
	expect(stored()).toEqual([['Area=At 5 – 6']]);
	expect(hints).toEqual([expect.stringContaining('repaired in "Zone", "Area", as if the file')]);
});

describe('a byte order mark before the first column of a CSV file', () => {
	const rows = [{ '\ufeffArea': 'Gate', Remark: 'Crack' }];

	test("doesn't change its name for a question, a group, or a unique key", async () => {
		const run = { uniqueKey: '={{ $json["\ufeffArea"] }}', options: { groupRowsBy: 'Area' } };
		const { hints } = await create(rows, run);
		expect(stored()).toEqual([['Area=Gate', 'Remark:1=Crack']]);
		expect(hints).toEqual([]);
		const again = await create([{ Area: 'Gate' }], { uniqueKey: '={{ $json.Area }}' });
		expect(again.jsons).toMatchObject([{ already_existed: true }]);
	});

	test("doesn't change its name for a mapped column, or in a message", async () => {
		const columns = { area: '={{ $json["\ufeffArea"] }}' };
		await create(rows, { columns });
		expect(stored()).toEqual([['Area=Gate']]);
		const [message] = await errorLines(rows, { columns: { area: '={{ $json.Zone }}' } });
		expect(message).toContain('The rows have the columns "Area", "Remark"');
	});
});

test.each([
	[
		'lost characters',
		'Stra\ufffde',
		/^Characters were lost \(�\), .*Create sends these values unchanged: "Area" in row 1: "Stra�e"\.$/,
	],
	[
		'UTF-8 read as Latin1',
		'GrÃ¶Ã\u009fe',
		/set the option 'Encoding' .* to 'UTF-8'\. Create sends these values unchanged: "Area" in row 1/,
	],
])('%s are sent with a hint about the right encoding', async (_, Area, hint) => {
	expect(await hintsOf([{ Area }])).toContainEqual(expect.stringMatching(hint));
});

test.each([
	['Weather', 'Dry \ufffd cold'],
	['Day', '31. M\ufffdrz 2026'],
	['Weather', 'Dry â€“ cold'],
])("%s with %j, which isn't a valid answer, mentions the encoding first", async (column, value) => {
	const [, first, second] = await errorLines([{ [column]: value }]).then((lines) => ['', ...lines]);
	expect(`${first ?? ''} ${second ?? ''}`).toMatch(
		/^(Characters were lost|The file is UTF-8).* "(Weather|Day)".*(?:is not|isn't)/,
	);
});

test('a text question with a spreadsheet’s date or time leads to a hint', async () => {
	expect(
		await hintsOf([{ Area: 46173 }, { Area: 0.354 }, { Area: 12 }, { Area: '46173' }]),
	).toEqual([
		'Numbers in texts might be dates or times: "Area" in row 1: 46173 (might be the day 2026-05-31, as spreadsheets store it); "Area" in row 2: 0.354 (might be the time 08:30 or 35.4 %, as spreadsheets store it). If they are, format the column as text in Excel.',
	]);
});

test('several choices with a different separator lead to the notation that works', async () => {
	const [message] = await errorLines([{ Gear: 'Helmet i Gloves' }]);
	expect(message).toMatch(
		/"Gear": "Helmet i Gloves" isn't .*. Write several choices with commas: Helmet, Gloves\.$/,
	);
	await create([{ Gear: 'Helmet, Gloves' }]);
	expect(stored()).toEqual([['Gear=Helmet,Gloves']]);
});

test.each([
	[
		"1'234.567",
		/"Costs": "1'234\.567" is not recognized as a number. Set the option 'Decimal Separator' to 'Point' to read it as 1234\.567/,
	],
	['1 234.567', /to 'Point' to read it as 1234\.567/],
	['(5)', /could mean a negative number. Write -5/],
])(
	'rejects the number %j with Comma instead of storing it a thousand times too large',
	async (Costs, message) => {
		const options = { decimalSeparator: 'comma' };
		await expect(create([{ Costs }], { options })).rejects.toThrow(message);
		expect(creates()).toBe(0);
		await create([{ Costs: '\u22125' }]);
		expect(stored()).toEqual([['Costs=-5']]);
	},
);

test.each([
	['2026-5-31', {}, '2026-05-31'],
	['15 mai 2014', { dateFormat: 'dd MMMM yyyy' }, '2014-05-15'],
	['5/31/2026, 2:30:00 PM', { dateFormat: 'MM/dd/yyyy, hh:mm:ss a' }, '2026-05-31'],
	['31-May-26', { dateFormat: 'dd-MMM-yy' }, '2026-05-31'],
])('reads the date %j with %j', async (Day, options, day) => {
	await create([{ Day }], { options });
	expect(stored().flat()).toEqual([expect.stringContaining(`Day=${day}T`)]);
});

test('an expression whose cells are all empty gives neither an answer nor an instance, unless it has a default', async () => {
	const rows = [
		{ Visit: 1, Site: 'Gate', Text: 'Crack', Sev: 'High' },
		{ Visit: 1, Site: 'Gate', Text: '', Sev: null },
		{ Visit: 1, Site: 'Gate', Text: 'Leak', Sev: '' },
		{ Visit: 2, Site: 'Roof' },
	];
	const remark = '={{ $json.Text }} ({{ $json.Sev }})';
	await create(rows, { columns: { area: '=At {{ $json.Site }}', remark }, options: GROUPED });
	const expected = [
		['Area=At Gate', 'Remark:1=Crack (High)', 'Remark:2=Leak ()'],
		['Area=At Roof'],
	];
	expect(stored()).toEqual(expected);
	const byDefault = { area: '={{ $json.Site }}', remark: '={{ $json.Text || "none" }}' };
	await create(rows.slice(3), { columns: byDefault });
	expect(stored().at(-1)).toEqual(['Area=Roof', 'Remark:1=none']);
});

test.each([
	['missing, as XLSX sends them', { Comment: 'Total: 5' }],
	['empty, as CSV sends them', { Area: '', Costs: '', Comment: 'Total: 5' }],
])('a total row whose other cells are %s creates no inspection', async (_, total) => {
	const [, ...lines] = await errorLines([{ Area: 'A', Costs: 5 }, total]);
	expect(lines[0]).toMatch(/^Row 2 \("Total: 5"\) looks like a total: remove it with a Filter/);
	expect(lines[1]).toMatch(/"Comment"/);
	expect(creates()).toBe(0);
});

test.each([
	['in the column of Group Rows By', { Visit: 'Total', Costs: 9 }, { options: GROUPED }],
	['in the column of a question', { Area: 'Total', Costs: 9 }, {}],
])('a hint names a total %s, because it becomes an inspection', async (_, total, run) => {
	const { hints } = await create([{ Visit: '1', Area: 'A', Costs: 5 }, total], run);
	expect(stored()).toHaveLength(2);
	expect(hints).toContain(
		'Row 2 ("Total") looks like a total: remove it with a Filter node before this one.',
	);
	const check = { others: { output: 'raw' }, ...run };
	const options = { ...('options' in run ? run.options : {}), checkOnly: true };
	const { jsons } = await create([total], { ...check, options });
	expect(jsons).toMatchObject([{ ok: true, problems: '' }]);
});

test('a row with values only in columns of no question is rejected, unless a field uses one of them', async () => {
	const row = { Area: '', Comment: 'see above' };
	await expect(create([row])).rejects.toThrow(
		'"Comment" matches no question, and no other cell has a value. Fill in an answer, or remove the row with a Filter node',
	);
	const { names } = await create([row], { name: '={{ $json.Comment }}' });
	expect(names).toEqual(['see above']);
});

/**
 * Runs Create for a sheet. Returns its error, or the names of its items, its hints, and the answers that the service
 * stored.
 */
async function outcomeOf(rows: IDataObject[], run: CreateRun) {
	const before = stored().length;
	try {
		const { names, hints } = await create(rows, run);
		// If Create sends no name, the service uses the template's name and the time.
		const given = names.map((name) => String(name).replace(/ \d{4}-.*Z$/, ''));
		return { names: given, hints, stored: stored().slice(before) };
	} catch (error) {
		return String(error);
	}
}

test(
	'a sheet has the same outcome whether its empty cells are missing, as from an XLSX file, or empty, as from a CSV file',
	{ tags: ['slow'] },
	async () => {
		const cell = (...values: string[]) => fc.constantFrom('', '', ...values);
		const row = fc.record({
			Visit: cell('1', '2'),
			Area: cell('A', 'B'),
			Costs: cell('5', 'much'),
			Comment: cell('see above', 'Total: 5'),
			Site: cell('Gate'),
		});
		const full = { Visit: '1', Area: 'A', Costs: '5', Comment: 'see above', Site: 'Gate' };
		const rows = fc.array(row, { minLength: 1, maxLength: 4 }).map((others) => [full, ...others]);
		const run = fc.record({
			name: fc.constantFrom('', '={{ $json.Comment }}', '=Walk {{ $json.Site }}'),
			options: fc.constantFrom({}, GROUPED, { ...GROUPED, fillDown: 'Visit' }),
		});
		await fc.assert(
			fc.asyncProperty(rows, run, async (csv, how) => {
				const xlsx = csv.map((cells) =>
					Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== '')),
				);
				expect(await outcomeOf(xlsx, how)).toEqual(await outcomeOf(csv, how));
			}),
			{
				numRuns: Number(process.env.SEEDS ?? 60),
				examples: [
					[
						[full, { ...full, Area: '', Costs: '', Visit: '' }],
						{ name: '={{ $json.Comment }}', options: {} },
					],
				],
			},
		);
	},
);

test.each([
	['a day of a database, as Edit Fields passes it', '2026-05-30T22:00:00.000Z', '2026-05-31'],
	['midnight UTC', '2026-05-31T00:00:00.000Z', '2026-05-31'],
	['a separate offset', '2026-05-31T00:00:00+09:00', '2026-05-31'],
])('a question without time keeps the day in the workflow’s zone: %s', async (_, Day, day) => {
	await create([{ Day }], { timezone });
	await create([{ Tag: Day }], { timezone, columns: { day: '={{ $json.Tag }}' } });
	expect(stored()).toEqual(Array(2).fill([`Day=${day}T00:00:00.000Z`]));
});
