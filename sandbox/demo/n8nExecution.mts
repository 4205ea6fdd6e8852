import { parse as parseFlatted } from 'flatted';

import { type JsonRecord, recordsOf, textOf } from '../../nodes/InspectionService/domain/json.ts';
import { recordIn } from './n8nSession.mts';

/** One output item: `error` is set on items of a node's error output. */
export interface OutputItem {
	json: JsonRecord;
	binary: JsonRecord;
	pairedItem: unknown;
}

export interface Execution {
	id: string;
	workflowId: string;
	/** success, error, canceled, crashed, running, waiting, new */
	status: string;
	/** manual, trigger, ... */
	mode: string;
	/** ISO 8601 UTC */
	startedAt: string | undefined;
	/** What stopped the workflow, as the editor shows it. */
	error: { message: string; description: string | undefined; node: string | undefined } | undefined;
	/** The items of a node's output (0 = first, or its error output) in its first run; none when it did not run. */
	items(node: string, output?: number): OutputItem[];
	/** The hints that the node showed above its output. */
	hints(node: string): string[];
	/** The execution as n8n stores it, for what the members above leave out. */
	data: JsonRecord;
}

/** The id of a row that n8n answered with. */
export function idOf(value: unknown): string {
	const { id } = recordIn(value);
	if (typeof id === 'number') return String(id);
	const text = textOf(id);
	if (text === undefined) throw new Error('n8n answered without an id');
	return text;
}

/** An execution as n8n's API gives it. */
export function readExecution(row: JsonRecord): Execution {
	const stored = textOf(row['data']);
	const data = stored === undefined ? {} : recordIn(parseFlatted(stored));
	const result = recordIn(data['resultData']);
	const runs = recordIn(result['runData']);
	const error = recordIn(result['error']);
	const message = textOf(error['message']);
	const firstRun = (node: string) => recordIn(recordsOf(runs[node])[0]);
	return {
		id: idOf(row),
		workflowId: textOf(row['workflowId']) ?? '',
		status: textOf(row['status']) ?? '',
		mode: textOf(row['mode']) ?? '',
		startedAt: textOf(row['startedAt']),
		error:
			message === undefined
				? undefined
				: {
						message,
						description: textOf(error['description']),
						node: textOf(recordIn(error['node'])['name']),
					},
		items: (node, output = 0) => {
			const main = recordIn(firstRun(node)['data'])['main'];
			const items: unknown = Array.isArray(main) ? main[output] : undefined;
			return recordsOf(items).map((item) => ({
				json: recordIn(item['json']),
				binary: recordIn(item['binary']),
				pairedItem: item['pairedItem'],
			}));
		},
		hints: (node) =>
			recordsOf(firstRun(node)['hints']).flatMap((hint) => textOf(hint['message']) ?? []),
		data,
	};
}

/** n8n 1.x stores an execution's status before its data: for a moment a success has run no node. */
export function isHalfStored({ status, data }: Execution): boolean {
	const runs = recordIn(recordIn(data['resultData'])['runData']);
	return status === 'success' && Object.keys(runs).length === 0;
}
