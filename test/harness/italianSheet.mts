/**
 * A sheet as a safety manager in Italy keeps it, and the template for its visits: a title above the header, cells merged
 * per visit, a column for each piece of equipment, numbers with units, and notes below the table. To write it to a file:
 * `node -e "import('./test/harness/italianSheet.mts').then((m) => m.writeItalianSheet('visite.xlsx'))"`
 */
import { writeFile } from 'node:fs/promises';

import writeExcelFile from 'write-excel-file/node';

import type { TemplateSpec } from '#sandbox/service/specs.mts';
import { number, page, radio, repeatable, required, text } from './controls.mts';

export const ITALIAN_TEMPLATE = {
	identifier: 'SOPRALLUOGO',
	name: 'Sopralluogo di sicurezza',
	controls: [
		page('Visita', [
			required(text('Cantiere', 'cantiere')),
			required({ type: 'date', label: 'Data visita', fieldId: 'data' }),
			{
				type: 'checkbox',
				label: 'DPI',
				fieldId: 'dpi',
				choices: ['Casco', 'Guanti', 'Imbracatura'],
			},
			number('Costo', 'costo'),
			number('Temperatura (°C)', 'temperatura'),
			repeatable('Rilievi', 'rilievi', [
				text('Rilievo', 'rilievo'),
				radio('Priorità', 'priorita', 'Bassa', 'Media', 'Alta'),
			]),
		]),
	],
} satisfies TemplateSpec;

export type ItalianCell = string | number | Date | null;
export type ItalianSheet = readonly (readonly ItalianCell[])[];

const TITLE = ['Sopralluoghi di sicurezza, maggio 2026'];
const HEADER = [
	'Reference',
	'Cantiere',
	'Data visita',
	'Casco',
	'Guanti',
	'Imbracatura',
	'Costo',
	'Temperatura',
	'Rilievo',
	'Priorità',
	'Responsabile',
];
/** How many columns, from the left, have one merged cell for all findings of a visit. */
const MERGED_COLUMNS = 8;

type Finding = readonly [finding: string | null, priority: string | null, person: string | null];

/** Returns the lines of a visit. Only the first line has the cells of the visit. */
const visit = (cells: readonly ItalianCell[], ...findings: readonly Finding[]): ItalianCell[][] =>
	findings.map((finding, index) => [...(index === 0 ? cells : cells.map(() => null)), ...finding]);
const may = (day: number) => new Date(Date.UTC(2026, 4, day));

/** Six visits in eleven lines, from line 3 on. In the first visit, two findings are serious. */
const VISITS = [
	...visit(
		['V-201', 'Porto, molo 4', may(4), 'X', 'X', null, '1.234,50 €', '12,5 °C'],
		['Cavo scoperto', 'Alta', 'Rossi'],
		['Parapetto mancante', 'Alta', 'Rossi'],
		['Estintore scaduto', 'Media', null],
	),
	...visit(
		['V-202', 'Via Roma 12', may(5), 'x', null, null, '350,00 €', '9,0 °C'],
		['Scala senza luce', 'Bassa', 'Bianchi'],
	),
	...visit(
		['V-203', 'Torre Nord', may(6), 'X', 'X', 'X', '2.699,00 €', '14,5 °C'],
		['Ancoraggio non marcato', 'Media', null],
		['Rete strappata', 'Bassa', null],
	),
	...visit(['V-204', 'Deposito', may(7), null, 'X', null, null, '15,0 °C'], [null, null, 'Verdi']),
	...visit(
		['V-205', 'Ponte', may(8), 'X', null, 'X', '980,00 €', '-1,5 °C'],
		['Scavo senza sbadacchi', 'Alta', 'Neri'],
		['Passerella scivolosa', 'Media', null],
		['Cartello illeggibile', 'Bassa', null],
	),
	...visit(
		['V-206', 'Scuola', may(11), 'X', 'X', null, '12.450,00 €', '18,0 °C'],
		['Porta bloccata', 'Media', null],
	),
];

const NOTES = [
	[],
	['Legenda: X = presente al momento della visita'],
	['Compilato da: Ufficio sicurezza'],
];

/** The sheet as it is at first. */
export const ITALIAN_SHEET: ItalianSheet = [TITLE, HEADER, ...VISITS, ...NOTES];

/** The answers of each visit, as they are right. */
export const ITALIAN_ANSWERS: readonly Readonly<Record<string, unknown>>[] = [
	{
		Cantiere: 'Porto, molo 4',
		'Data visita': '2026-05-04T00:00:00.000Z',
		DPI: ['Casco', 'Guanti'],
		Costo: 1234.5,
		'Temperatura (°C)': 12.5,
		Rilievo: 'Cavo scoperto',
		Priorità: 'Alta',
		'Rilievo:2': 'Parapetto mancante',
		'Priorità:2': 'Alta',
		'Rilievo:3': 'Estintore scaduto',
		'Priorità:3': 'Media',
	},
	{
		Cantiere: 'Via Roma 12',
		'Data visita': '2026-05-05T00:00:00.000Z',
		DPI: ['Casco'],
		Costo: 350,
		'Temperatura (°C)': 9,
		Rilievo: 'Scala senza luce',
		Priorità: 'Bassa',
	},
	{
		Cantiere: 'Torre Nord',
		'Data visita': '2026-05-06T00:00:00.000Z',
		DPI: ['Casco', 'Guanti', 'Imbracatura'],
		Costo: 2699,
		'Temperatura (°C)': 14.5,
		Rilievo: 'Ancoraggio non marcato',
		Priorità: 'Media',
		'Rilievo:2': 'Rete strappata',
		'Priorità:2': 'Bassa',
	},
	{
		Cantiere: 'Deposito',
		'Data visita': '2026-05-07T00:00:00.000Z',
		DPI: ['Guanti'],
		'Temperatura (°C)': 15,
	},
	{
		Cantiere: 'Ponte',
		'Data visita': '2026-05-08T00:00:00.000Z',
		DPI: ['Casco', 'Imbracatura'],
		Costo: 980,
		'Temperatura (°C)': -1.5,
		Rilievo: 'Scavo senza sbadacchi',
		Priorità: 'Alta',
		'Rilievo:2': 'Passerella scivolosa',
		'Priorità:2': 'Media',
		'Rilievo:3': 'Cartello illeggibile',
		'Priorità:3': 'Bassa',
	},
	{
		Cantiere: 'Scuola',
		'Data visita': '2026-05-11T00:00:00.000Z',
		DPI: ['Casco', 'Guanti'],
		Costo: 12450,
		'Temperatura (°C)': 18,
		Rilievo: 'Porta bloccata',
		Priorità: 'Media',
	},
];

/** Returns the sheet as an Excel file, with the cells of a visit merged. */
export async function excelOf(sheet: ItalianSheet): Promise<Buffer> {
	return await writeExcelFile(
		sheet.map((line, row) =>
			line.map((value, column) => {
				if (value === null) return null;
				const cell =
					value instanceof Date
						? ({ value, type: Date, format: 'dd/mm/yyyy' } as const)
						: { value };
				const rowSpan = column < MERGED_COLUMNS ? linesOfVisit(sheet, row) : 1;
				return { ...cell, rowSpan };
			}),
		),
	).toBuffer();
}

/** Returns how many lines the visit in this line has: lines below without a Reference, but with a finding, are part of it. */
function linesOfVisit(sheet: ItalianSheet, row: number): number {
	const isBelow = ([reference, ...others]: readonly ItalianCell[]) =>
		reference === null && others.some((cell) => cell !== null);
	const next = sheet.slice(row + 1).findIndex((line) => !isBelow(line));
	return 1 + Math.max(next, 0);
}

export async function writeItalianSheet(file: string): Promise<void> {
	await writeFile(file, await excelOf(ITALIAN_SHEET));
}
