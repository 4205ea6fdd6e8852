/**
 * A new user's first import of a messy sheet, in n8n's editor. The user runs the workflow, does what the message says,
 * and runs it again. The third run has to create the right inspections. Set SCREENSHOTS to the folder for screenshots
 * of the messages (default: .local/screenshots).
 */
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';

import type { JsonRecord } from '#connector/domain/json.ts';
import { text } from '#harness/controls.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import type { N8nServer } from '#sandbox/demo/n8nServer.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import type { ControlSpec } from '#sandbox/service/specs.mts';
import { LOCAL } from '#scripts/projectPaths.mts';
import { freshN8n, saveCredential } from './connectedN8n.mts';
import {
	actionNode,
	chain,
	fromSheet,
	n8nNode,
	type SavedCredential,
	START,
} from './connectorWorkflow.mts';
import { Editor, hasChromium } from './editorPage.mts';
import { storedAnswers } from './storedAnswers.mts';

type Cell = string | number | null;

/** The settings that the user changes between two runs. */
interface Setup {
	/** The option Range of the node that reads the file. The option skips the lines before the header. */
	range?: string;
	/** The first cell of each row that a Filter node removes. */
	removed: readonly string[];
	options: JsonRecord;
}

/** Returns the setup with the changes that a message suggests. */
function withAdvice({ range, removed, options }: Setup, told: string): Setup {
	const find = (pattern: RegExp) => pattern.exec(told) ?? [];
	const [, headerRow] = find(/set the option 'Range' .* seem to be in row (\d+) of the data/s);
	const [, fill] = find(/set the option 'Fill Empty Cells From Above' to "([^"]+)"/);
	const [, dateFormat] = find(/Set the option 'Date Format' to "([^"]+)"/);
	const [, separator] = find(/Set the option 'Decimal Separator' to '(Comma|Point)'/);
	const [, yesIs, noIs] = find(
		/Set the option 'Words for Yes' to "([^"]+)" and the option 'Words for No' to "([^"]+)"/,
	);
	const [, total] = find(/Row \d+ \("([^"]+)"\) looks like a total: remove it with a Filter node/);
	return {
		...(headerRow === undefined ? range !== undefined && { range } : { range: headerRow }),
		removed: total === undefined ? removed : [...removed, total],
		options: {
			...options,
			...(fill !== undefined && { fillDown: fill }),
			...(dateFormat !== undefined && { dateFormat }),
			...(separator !== undefined && { decimalSeparator: separator.toLowerCase() }),
			...(yesIs !== undefined && { yesIs, noIs: noIs ?? '' }),
		},
	};
}

const POLISH: { name: string; sheet: Cell[][]; controls: ControlSpec[] } = {
	name: 'polish',
	sheet: [
		['Kontrole BHP – maj 2026'],
		['Nr', 'Budowa', 'Data kontroli', 'Kaski', 'Koszt', 'Zagrożenia', 'Uwagi'],
		[1, 'Wola', '04.05.2026', 'tak', '12,5', 'Hałas, Kurz', null],
		[2, null, '05.05.2026', 'nie', '7', 'Kurz', 'brak barierki'],
		[3, null, '06.05.2026', 'tak', '1,25', 'Hałas; Kurz', null],
		[4, 'Mokotów', '18.05.2026', 'tak', '0,5', null, null],
		['Razem', null, null, null, '21,25', null, null],
	],
	controls: [
		{ ...text('Budowa', 'site'), is_required: true },
		{ type: 'date', label: 'Data kontroli', fieldId: 'day', is_required: true },
		{ type: 'radio', label: 'Kaski', fieldId: 'helmets', choices: ['Zgodne', 'Niezgodne'] },
		{ type: 'number', label: 'Koszt', fieldId: 'costs' },
		{
			type: 'checkbox',
			label: 'Zagrożenia',
			fieldId: 'risks',
			choices: ['Hałas', 'Kurz', 'Upadek'],
		},
		text('Uwagi', 'note'),
	],
};

const SPANISH: typeof POLISH = {
	name: 'spanish',
	sheet: [
		['N.º', 'Obra', 'Fecha', 'Cascos', 'Coste', 'Riesgos'],
		[1, 'Puerta 4', '25/05/2026', 'no', '1.250,00', 'Ruido y Polvo'],
		[2, null, '26/05/2026', 'sí', '99,5', 'Polvo'],
		[3, null, '27/05/2026', 'sí', '3', null],
		['Total', null, null, null, '1.352,50', null],
	],
	controls: [
		{ ...text('Obra', 'site'), is_required: true },
		{ type: 'date', label: 'Fecha', fieldId: 'day', is_required: true },
		{ type: 'radio', label: 'Cascos', fieldId: 'helmets', choices: ['Conforme', 'No conforme'] },
		{ type: 'number', label: 'Coste', fieldId: 'costs' },
		{ type: 'checkbox', label: 'Riesgos', fieldId: 'risks', choices: ['Ruido', 'Polvo'] },
	],
};

const MAX_RUNS = 3;
/** The time limit of a test. Three runs in the editor take 20 s on an idle machine. */
const TEST_MS = 300_000;

describe.skipIf(!hasChromium())('the first import', () => {
	let sandbox: Sandbox;
	let n8n: N8nServer;
	let editor: Editor;
	let credential: SavedCredential;

	beforeAll(async () => {
		sandbox = await startSandbox({ data: 'demo' });
		n8n = await freshN8n('firstHour');
		credential = await saveCredential(n8n.client, sandbox);
		editor = await Editor.open(n8n.url, process.env['SCREENSHOTS'] ?? join(LOCAL, 'screenshots'));
	});

	afterAll(async () => {
		await editor?.close();
		await n8n?.stop();
		await sandbox?.close();
	});

	/**
	 * Creates a workflow and runs it in the editor. Returns the text of the error panel, or undefined if inspections were
	 * created.
	 */
	async function runInEditor(
		{ range, removed, options }: Setup,
		{ file, template, picture }: { file: string; template: string; picture: string },
	) {
		const read = n8nNode('readWriteFile', 1, { operation: 'read', fileSelector: file });
		const keep = n8nNode('filter', 2.2, {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
				combinator: 'and',
				conditions: removed.map((cell) => ({
					id: cell,
					leftValue: '={{ String(Object.values($json)[0]) }}',
					rightValue: cell,
					operator: { type: 'string', operation: 'notEquals' },
				})),
			},
			options: {},
		});
		const create = actionNode(credential, createParameters(templateBy(template), { options }));
		const nodes = [
			START,
			read,
			fromSheet(range === undefined ? {} : { range }),
			...(removed.length === 0 ? [] : [keep]),
			create,
		];
		const { id } = await n8n.client.createWorkflow(chain('First import', nodes));
		await editor.openWorkflow(id);
		await editor.openNode(create.name);
		await editor.execute();
		const failed = editor.output.getByText(/Nothing was sent/).first();
		await failed.or(editor.output.getByText('already_existed').first()).first().waitFor();
		await editor.screenshot(picture);
		return (await failed.isVisible()) ? await editor.output.innerText() : undefined;
	}

	test.each([
		[
			POLISH,
			{
				Budowa: 'Wola',
				'Data kontroli': '2026-05-06T00:00:00.000Z',
				Kaski: 'Zgodne',
				Koszt: 1.25,
				Zagrożenia: ['Hałas', 'Kurz'],
			},
			4,
		],
		[
			SPANISH,
			{ Obra: 'Puerta 4', Fecha: '2026-05-27T00:00:00.000Z', Cascos: 'Conforme', Coste: 3 },
			3,
		],
	])(
		'is right after at most three runs that follow each message: $name',
		async ({ name, sheet, controls }, third, count) => {
			const file = join(n8n.filesFolder, `${name}.xlsx`);
			sandbox.store.addTemplate({ identifier: name, name: `First ${name}`, controls });
			const before = sandbox.store.inspections().length;
			let cells = sheet;
			let setup: Setup = { removed: [], options: {} };
			for (let run = 1; ; run++) {
				await writeExcelFile(cells.map((line) => line.map((value) => value && { value }))).toFile(
					file,
				);
				const told = await runInEditor(setup, {
					file,
					template: name,
					picture: `first-${name}-${String(run)}`,
				});
				if (process.env['SHOW_MESSAGES'])
					console.log(`${name}, run ${String(run)}: ${told ?? 'inspections'}`);
				if (told === undefined) break;
				expect(run, told).toBeLessThan(MAX_RUNS);
				setup = withAdvice(setup, told);
				const [, wrong, listed] =
					/"([^"]+)" (?:isn't one of|aren't among) .*Write several choices with commas: ([^.\n]+)/.exec(
						told,
					) ?? [];
				if (wrong !== undefined && listed !== undefined) {
					cells = cells.map((line) => line.map((cell) => (cell === wrong ? listed : cell)));
				}
			}
			const made = sandbox.store.inspections().slice(before);
			expect(made).toHaveLength(count);
			const answers = made.map(({ id }) => storedAnswers(sandbox, id));
			expect(answers).toContainEqual(expect.objectContaining(third));
		},
		TEST_MS,
	);
});
