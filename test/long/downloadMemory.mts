// Downloads files one after the other through n8n-core into n8n's file store. For each file, prints its size and this
// process's peak memory as JSON. This is a separate process, so that the test's own memory isn't counted.
import { executeNode } from '#harness/inspectionNodes.mts';

const [baseUrl = '', apiKey = '', inspectionId = '', ...fileIds] = process.argv.slice(2);

async function download(fileId: string): Promise<unknown> {
	const { items } = await executeNode({
		credential: { baseUrl, apiKey },
		parameters: { resource: 'file', operation: 'download', inspectionId, fileId },
	});
	return items[0]?.json.bytes;
}

for (const fileId of fileIds) {
	let peak = 0;
	const look = () => {
		peak = Math.max(peak, process.memoryUsage.rss());
	};
	const timer = setInterval(look, 5);
	const bytes = await download(fileId);
	clearInterval(timer);
	look();
	console.log(JSON.stringify({ bytes, peak }));
}
process.exit(0);
