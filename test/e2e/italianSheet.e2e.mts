import { expect, it } from 'vitest';

import {
	excelOf,
	ITALIAN_SHEET,
	ITALIAN_TEMPLATE,
	type ItalianSheet,
} from '#harness/italianSheet.mts';
import { connectedN8n } from './connectedN8n.mts';
import { publishSheetForm, withParameters } from './sheetForm.mts';

const { sandbox, n8n, credential } = await connectedN8n({ data: 'demo' });
sandbox.store.addTemplate(ITALIAN_TEMPLATE);
const templateId = { __rl: true, mode: 'identifier', value: 'SOPRALLUOGO' };

const show = ({ page, rows }: { page: string; rows: unknown[][] }) => {
	console.log(
		page
			.replace(/[\s\S]*<body/, '')
			.replace(/<script[\s\S]*?<\/script>/g, '')
			.replace(/<[^>]*>/g, ' ')
			.replace(/\s+/g, ' ')
			.slice(0, 1500),
	);
	for (const row of rows) console.log(JSON.stringify(row));
	console.log(
		'INSPECTIONS',
		sandbox.store
			.inspections()
			.filter((i) => i.templateId === sandbox.store.findTemplate(null, 'SOPRALLUOGO')?.id).length,
	);
};

it('x', async () => {
	const form = await publishSheetForm({ n8n, credential }, 'visite-1', (w) =>
		withParameters(w, 'Create inspections', { templateId }),
	);
	show(await form.upload(await excelOf(ITALIAN_SHEET)));
	const [, ...second] = ITALIAN_SHEET;
	show(await form.upload(await excelOf(second)));
	const grouped = await publishSheetForm({ n8n, credential }, 'visite-2', (w) =>
		withParameters(w, 'Create inspections', {
			templateId,
			options: { groupRowsBy: 'Reference', fillDown: 'Reference' },
		}),
	);
	show(await grouped.upload(await excelOf(ITALIAN_SHEET)));
	show(await grouped.upload(await excelOf(second)));
	const third: ItalianSheet = second
		.slice(0, 12)
		.map((row, i) =>
			i === 0 ? row.map((c) => (c === 'Temperatura' ? 'Temperatura (°C)' : c)) : row,
		);
	show(await grouped.upload(await excelOf(third)));
	expect(1).toBe(1);
}, 200_000);
