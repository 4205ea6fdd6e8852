// Downloads files in one run through n8n-core into n8n's memory. For each file, prints its size or its error, and then this
// process's peak memory in MB, as JSON. This is a separate process, so that the test's own memory isn't counted.
import { executeNode } from '#harness/inspectionNodes.mts';

const [baseUrl = '', apiKey = '', inspectionId = '', ...fileIds] = process.argv.slice(2);
let peak = 0;
const look = () => {
	peak = Math.max(peak, process.memoryUsage.rss());
};
const timer = setInterval(look, 20);
const { items } = await executeNode({
	credential: { baseUrl, apiKey },
	parameters: { resource: 'file', operation: 'download', inspectionId, fileId: '={{ $json.id }}' },
	items: fileIds.map((id) => ({ id })),
	onError: 'continueRegularOutput',
});
look();
clearInterval(timer);
const outcomes = items.map(({ json }) => json.bytes ?? json.error);
console.log(JSON.stringify({ outcomes, peakMb: Math.round(peak / 1024 / 1024) }));
process.exit(0);
