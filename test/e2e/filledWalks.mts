/**
 * Data for screenshots. Every cell has a value, because n8n shows missing values as a red "undefined", "null", or
 * "empty".
 */
import { EXAMPLE_NODES, type ExampleInput, loadExample } from '#sandbox/demo/exampleWorkflow.mts';
import type { WorkflowFile } from '#sandbox/demo/n8nClient.mts';
import { recordIn } from '#sandbox/demo/n8nExecution.mts';
import type { JsonRecord } from '#sandbox/json.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';

const WALKS = [
	['Harbour Gate 4', '2026-05-04', 14, 'Fail', 'Gate', 'Loose cable at the gate', 'Medium'],
	['Mill Road 12', '2026-05-11', 17, 'Pass', 'Roof', 'Loose tile above the entrance', 'Low'],
	['Tower North', '2026-05-12', 7, 'Fail', 'Scaffold', 'Board without a toe guard', 'High'],
	['Canal Bridge', '2026-05-13', 28, 'Pass', 'Excavation', 'Barrier moved aside', 'Low'],
] as const;

/** Adds a completed inspection for each site, with an answer to every question. */
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

/** The position of the cell that `severity` changes in `findings`, counted from 0. */
export const SEVERITY_CELL = { row: 2, column: 3 };

/**
 * Returns a header and the findings of three walks, one finding per row. `severity` replaces the severity of the second
 * finding, to add a typo.
 */
export const findings = (severity = 'High'): string[][] => [
	HEADER,
	['F-001', 'Harbour Gate 4', 'Loose cable at the gate', 'Medium', ...GATE],
	['F-001', 'Harbour Gate 4', 'Fire extinguisher is blocked', severity, ...GATE],
	['F-002', 'Mill Road 12', 'Loose tile above the entrance', 'Low', '11.5.2026', '17', 'Pass'],
	['F-001', 'Harbour Gate 4', 'No light on the stairs', 'Low', ...GATE],
	['F-003', 'Tower North', 'Board without a toe guard', 'High', ...TOWER],
	['F-003', 'Tower North', 'Anchor point is not marked', 'Medium', ...TOWER],
];

/** Returns a CSV file in the format that the example `findings-to-inspections.json` reads. */
export const csv = (rows: readonly (readonly string[])[]): string =>
	rows.map((row) => row.join(';')).join('\n');

/** Parameters of an example's Create node to change. Other options keep their values. */
export interface CreateChanges {
	uniqueKey?: string;
	options?: JsonRecord;
}

/** Returns the example with a sheet of findings, with changed parameters in its Create node. */
export async function findingsExample(
	input: ExampleInput,
	{ options, ...changed }: CreateChanges,
): Promise<WorkflowFile> {
	const { nodes, ...example } = await loadExample('findings-to-inspections', input);
	const withChanges = (node: JsonRecord): JsonRecord => {
		if (node['name'] !== EXAMPLE_NODES.create) return node;
		const saved = recordIn(node['parameters']);
		const all = { ...recordIn(saved['options']), ...options };
		return { ...node, parameters: { ...saved, ...changed, options: all } };
	};
	return { ...example, nodes: nodes.map(withChanges) };
}
