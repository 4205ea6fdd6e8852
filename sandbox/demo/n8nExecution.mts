import { parse as parseFlatted } from 'flatted';

import {
	isRecord,
	type JsonRecord,
	recordsOf,
	textOf,
} from '../../nodes/InspectionService/domain/json.ts';

/** One output item: `error` is set on items of a node's error output. */
export interface OutputItem {
	json: JsonRecord;
	binary: JsonRecord;
	pairedItem: unknown;
}

export interface Execution {
	id: string;
	/** success, error, canceled, crashed, running, waiting, new */
	status: string;
	/** What stopped the workflow, as the editor shows it. */
	error: { message: string; description: string | undefined; node: string | undefined } | undefined;
	/** The items of a node's output (0 = first, or its error output) in its first run; none when it did not run. */
	items(node: string, output?: number): OutputItem[];
	/** False for a moment in n8n 1.x, which stores a success before what its nodes have done. */
	isWhole: boolean;
	/** The execution as n8n stores it, for what the members above leave out. */
	data: JsonRecord;
}

export const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** The id of a row that n8n answered with. */
export function idOf(value: unknown): string {
	const { id } = recordIn(value);
	if (typeof id === 'string' || typeof id === 'number') return String(id);
	throw new Error('n8n answered without an id');
}

/** An execution as n8n's API gives it. */
export function readExecution(row: JsonRecord): Execution {
	const stored = textOf(row['data']);
	const data = stored === undefined ? {} : recordIn(parseFlatted(stored));
	const { runData, error } = recordIn(data['resultData']);
	const { message, description, node: failed } = recordIn(error);
	const runs = recordIn(runData);
	const status = textOf(row['status']) ?? '';
	const firstRun = (node: string) => recordIn(recordsOf(runs[node])[0]);
	return {
		id: idOf(row),
		status,
		error:
			typeof message === 'string'
				? { message, description: textOf(description), node: textOf(recordIn(failed)['name']) }
				: undefined,
		items: (node, output = 0) => {
			const { main } = recordIn(firstRun(node)['data']);
			const items: unknown = Array.isArray(main) ? main[output] : undefined;
			return recordsOf(items).map(({ json, binary, pairedItem }) => ({
				json: recordIn(json),
				binary: recordIn(binary),
				pairedItem,
			}));
		},
		isWhole: status !== 'success' || Object.keys(runs).length > 0,
		data,
	};
}
