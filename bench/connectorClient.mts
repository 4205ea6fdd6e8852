// Runs the action node through n8n-core's ExecuteContext. Without the rest of n8n, this measures only the node's own
// time and memory.
import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, getManyParameters, templateById } from '#harness/nodeParameters.mts';
import { serveRuns } from './ownProcess.mts';

const [baseUrl = '', apiKey = '', job = '', ...rest] = process.argv.slice(2);
const credential = { baseUrl, apiKey };

const getMany = async (options: object) =>
	await executeNode({ parameters: getManyParameters(options), credential });

async function list(inspections: number, output: string): Promise<void> {
	const { items } = await getMany({ output, returnAll: true });
	if (items.length !== inspections) throw new Error(`${String(items.length)} items came`);
}

async function create(template: string, rows: number, answers: number): Promise<void> {
	const items = Array.from({ length: rows }, (_, row) => {
		const cells = Array.from({ length: answers }, (__, n) => [
			`q${String(n)}`,
			`Row ${String(row)}`,
		]);
		return Object.fromEntries(cells) as Record<string, string>;
	});
	const parameters = createParameters(templateById(template));
	const { items: created } = await executeNode({ parameters, credential, items });
	if (created.length !== rows) throw new Error(`${String(created.length)} items came`);
}

const JOBS: Record<string, () => Promise<void>> = {
	list: () => list(Number(rest[0]), rest[1] ?? ''),
	create: () => create(rest[0] ?? '', Number(rest[1]), Number(rest[2])),
};

// The first call warms up the node, so that loading its code isn't measured.
await getMany({ output: 'raw', limit: 1 });
await serveRuns(async () => await JOBS[job]?.());
