/** Data for screenshots: every cell has a value, so that n8n shows no red "undefined", "null", or "empty". */
import type { Sandbox } from '#sandbox/service/sandbox.mts';

const WALKS = [
	['Harbour Gate 4', '2026-05-04', 14, 'Fail', 'Gate', 'Loose cable at the gate', 'Medium'],
	['Mill Road 12', '2026-05-11', 17, 'Pass', 'Roof', 'Loose tile above the entrance', 'Low'],
	['Tower North', '2026-05-12', 7, 'Fail', 'Scaffold', 'Board without a toe guard', 'High'],
	['Canal Bridge', '2026-05-13', 28, 'Pass', 'Excavation', 'Barrier moved aside', 'Low'],
] as const;

/** Adds a completed site safety walk per site, with an answer to every question. */
export function addFilledWalks({ store }: Sandbox): void {
	for (const [site, day, workers, result, area, hazard, severity] of WALKS) {
		store.addInspection({
			template: 'SITE-SAFETY',
			name: `${site}, ${day}`,
			status: 'completed',
			answers: Object.entries({
				site_name: site,
				walk_date: `${day}T00:00:00.000Z`,
				workers,
				result,
				ppe: ['Helmet', 'Gloves'],
				area: [area],
				location: site,
				comments: 'Weekly walk',
				hazard_description: hazard,
				hazard_severity: severity,
			}).map(([control, value]) => ({ control, value })),
		});
	}
}

const HEADER = [
	'Walk',
	'Site name',
	'Description',
	'Severity',
	'Date',
	'Number of workers',
	'Result',
];
const GATE = ['4.5.2026', '14', 'Fail'];
const TOWER = ['12.5.2026', '7', 'Fail'];

/** Where `severity` of `findings` is, counted from 0. */
export const SEVERITY_CELL = { row: 2, column: 3 };

/** Findings of three walks, a row each, after the header. `severity` is that of the second finding, for a typo. */
export const findings = (severity = 'High'): string[][] => [
	HEADER,
	['F-001', 'Harbour Gate 4', 'Loose cable at the gate', 'Medium', ...GATE],
	['F-001', 'Harbour Gate 4', 'Fire extinguisher is blocked', severity, ...GATE],
	['F-002', 'Mill Road 12', 'Loose tile above the entrance', 'Low', '11.5.2026', '17', 'Pass'],
	['F-001', 'Harbour Gate 4', 'No light on the stairs', 'Low', ...GATE],
	['F-003', 'Tower North', 'Board without a toe guard', 'High', ...TOWER],
	['F-003', 'Tower North', 'Anchor point is not marked', 'Medium', ...TOWER],
];

/** A CSV file as the example `findings-to-inspections.json` reads it. */
export const csv = (rows: readonly (readonly string[])[]): string =>
	rows.map((row) => row.join(';')).join('\n');
