import { isRecord, type JsonRecord, recordsOf } from '../../nodes/InspectionService/domain/json.ts';
import type { Execution } from '../../sandbox/demo/n8nClient.mts';
import type { N8nServer } from '../../sandbox/demo/n8nServer.mts';
import { type Contender, watchMemory } from './measurement.mts';

const NODE = 'Under test';

/** A node of n8n that does a job; its items come from `items`, one where none are given. */
export interface NodeWay {
	way: string;
	node: JsonRecord;
	/** An expression that gives an array of objects. */
	items?: string;
}

/** Saves the node in a workflow of its own; every run is an execution of it, timed by n8n itself. */
export async function n8nContender(
	{ client, pid }: N8nServer,
	{ way, node, items = '[{}]' }: NodeWay,
): Promise<Contender> {
	const { id } = await client.createWorkflow({
		name: way,
		nodes: [...sourceNodes(items), { id: NODE, name: NODE, position: [600, 0], ...node }],
		connections: {
			Start: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] },
			Rows: { main: [[{ node: 'Split', type: 'main', index: 0 }]] },
			Split: { main: [[{ node: NODE, type: 'main', index: 0 }]] },
		},
	});
	return {
		way,
		async run() {
			const grown = watchMemory(pid);
			const execution = await client.run(id, 'Start');
			const memory = grown();
			if (execution.status !== 'success') {
				throw new Error(`${way}: ${execution.error?.message ?? execution.status}`);
			}
			return { ms: executionTime(execution), memory };
		},
	};
}

function sourceNodes(items: string): JsonRecord[] {
	return [
		{
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'rows',
			name: 'Rows',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			position: [200, 0],
			parameters: { mode: 'raw', jsonOutput: `={{ { rows: ${items} } }}`, options: {} },
		},
		{
			id: 'split',
			name: 'Split',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			position: [400, 0],
			parameters: { fieldToSplitOut: 'rows', options: {} },
		},
	];
}

/** From n8n's run data: what the editor shows as the node's time. */
function executionTime({ data }: Execution): number {
	const result = isRecord(data.resultData) ? data.resultData : {};
	const runData = isRecord(result.runData) ? result.runData : {};
	return Number(recordsOf(runData[NODE])[0]?.executionTime);
}
