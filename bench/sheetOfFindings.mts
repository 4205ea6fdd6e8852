/**
 * Generates a sheet with one line per finding and several lines per site walk, as people often write it. Also checks
 * the inspections that were created from the sheet, one for each walk.
 */
import type { Sandbox } from '#sandbox/service/sandbox.mts';

const SEVERITIES = ['Low', 'Medium', 'High'];

export type SheetLine = Record<
	'Walk' | 'Site name' | 'Date' | 'Number of workers' | 'Result' | 'Description' | 'Severity',
	string
>;

export interface FindingsSheet {
	/** The identifier of the template. Its questions have the names of the columns. */
	template: string;
	lines: readonly SheetLine[];
	/** The sheet as CSV with `;` between the cells, as German versions of Excel write it. */
	csv: string;
	/** Create's options for this sheet: which lines belong together, and how dates and numbers are written. */
	options: Record<'groupRowsBy' | 'dateFormat' | 'decimalSeparator', string>;
	/** @throws unless the service has exactly one inspection for each walk, with all answers from its lines */
	checkStored(sandbox: Sandbox): void;
}

/** Returns a sheet for the demo's template. Line `n`, counted from 0, belongs to walk `n % walks`. */
export function findingsSheet(size: { findings: number; walks: number }): FindingsSheet {
	const lines = Array.from({ length: size.findings }, (_, finding) => lineOf(finding, size.walks));
	const header = Object.keys(lines[0] ?? {});
	return {
		template: 'SITE-SAFETY',
		lines,
		csv: [header, ...lines.map(Object.values)].map((cells) => `${cells.join(';')}\n`).join(''),
		options: { groupRowsBy: 'Walk', dateFormat: 'dd.MM.yyyy', decimalSeparator: 'comma' },
		checkStored: (sandbox) => {
			checkStored(sandbox, lines);
		},
	};
}

/** Returns a line of the sheet. Only the first line of a walk has the values that concern the whole walk. */
function lineOf(finding: number, walks: number): SheetLine {
	const walk = finding % walks;
	const isFirst = finding < walks;
	const once = (text: string) => (isFirst ? text : '');
	return {
		Walk: `M-${String(walk)}`,
		'Site name': once(`Site ${String(walk)}`),
		Date: once(`${String((walk % 28) + 1)}.5.2026`),
		'Number of workers': once(`1.${String(100 + walk)},5`),
		Result: once('Pass'),
		Description: `Finding ${String(finding)}`,
		Severity: SEVERITIES[finding % SEVERITIES.length] ?? '',
	};
}

function checkStored({ store }: Sandbox, lines: readonly SheetLine[]): void {
	const walks = Map.groupBy(lines, ({ Walk }) => Walk);
	const held = store.inspections().filter(({ name }) => walks.has(name));
	if (held.length !== walks.size) throw new Error(`${String(held.length)} inspections`);
	for (const { name, templateId, answers } of held) {
		const controls = store.findTemplate(null, templateId)?.controls;
		const fields = new Map(controls?.map(({ id, fieldId }) => [id, fieldId]));
		const found = answers.map(({ controlId, order, value }) =>
			[fields.get(controlId), order, value].join(' '),
		);
		const wanted = answersOf(walks.get(name) ?? []);
		if (found.toSorted().join('\n') !== wanted.toSorted().join('\n')) {
			throw new Error(`${name} holds other answers than its lines`);
		}
	}
}

/** Returns the expected answers for the lines of one walk, each as `field_id instance value`. */
function answersOf(lines: readonly SheetLine[]): string[] {
	const [first] = lines;
	if (first === undefined) return [];
	const [day = '', month = '', year = ''] = first.Date.split('.');
	return [
		`site_name 1 ${first['Site name']}`,
		`walk_date 1 ${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00.000Z`,
		`workers 1 ${first['Number of workers'].replace('.', '').replace(',', '.')}`,
		`result 1 ${first.Result}`,
		...lines.flatMap(({ Description, Severity }, index) => [
			`hazard_description ${String(index + 1)} ${Description}`,
			`hazard_severity ${String(index + 1)} ${Severity}`,
		]),
	];
}
