// Get Many through n8n-core's ExecuteContext, without the rest of n8n: the node's own time and memory.
import { executeNode } from '#harness/inspectionNodes.mts';
import { getManyParameters } from '#harness/nodeParameters.mts';
import { watchMemory } from './measurement.mts';

const [baseUrl = '', apiKey = '', inspections = '', output = ''] = process.argv.slice(2);

const getMany = async (all: object) =>
	await executeNode({
		parameters: getManyParameters({ output, ...all }),
		credential: { baseUrl, apiKey },
	});

// Warms up: what the node loads on its first call doesn't count.
await getMany({ limit: 1 });
const grown = watchMemory(process.pid);
const start = performance.now();
const { items } = await getMany({ returnAll: true });
if (items.length !== Number(inspections)) throw new Error(`${String(items.length)} items came`);
console.log(JSON.stringify({ ms: performance.now() - start, memory: grown() }));
process.exit(0);
