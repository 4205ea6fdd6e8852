import { parse as parseFlatted } from 'flatted';

import { isRecord, type JsonRecord, recordsOf, textOf } from '#sandbox/json.mts';

/** One output item. Items of a node's error output have `error`. */
export interface OutputItem {
	json: JsonRecord;
	binary: JsonRecord;
	pairedItem: unknown;
}

export const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** The ID of a row in n8n's response. */
export function idOf(value: unknown): string {
	const { id } = recordIn(value);
	if (typeof id === 'string' || typeof id === 'number') return String(id);
	throw new Error('n8n answered without an id');
}

export type Execution = ReturnType<typeof readExecution>;

/** Parses an execution from n8n's API. */
export function readExecution(row: JsonRecord) {
	const stored = textOf(row['data']);
	/** The execution as n8n stores it, for details that the other members leave out. */
	const data = stored === undefined ? {} : recordIn(parseFlatted(stored));
	const { runData, error } = recordIn(data['resultData']);
	const { message, description, node: failed } = recordIn(error);
	const runs = recordIn(runData);
	/** success, error, canceled, crashed, running, waiting, new */
	const status = textOf(row['status']) ?? '';
	return {
		id: idOf(row),
		status,
		/** The error that stopped the workflow, as the editor shows it. */
		error:
			typeof message === 'string'
				? { message, description: textOf(description), node: textOf(recordIn(failed)['name']) }
				: undefined,
		/**
		 * The items of a node's output (0 = first, or its error output) in all its runs. Empty if the node didn't run.
		 */
		items(node: string, output = 0): OutputItem[] {
			const items = recordsOf(runs[node]).flatMap((run) => {
				const { main } = recordIn(run['data']);
				return recordsOf(Array.isArray(main) ? main[output] : undefined);
			});
			return items.map(({ json, binary, pairedItem }) => ({
				json: recordIn(json),
				binary: recordIn(binary),
				pairedItem,
			}));
		},
		/** Briefly false in n8n 1.x, which stores that an execution has ended before it stores the nodes' results. */
		isWhole:
			!['success', 'error'].includes(status) || Object.keys(runs).length > 0 || isRecord(error),
		data,
	};
}
