import { parse as parseFlatted } from 'flatted';

import { isRecord, type JsonRecord, recordsOf, textOf } from '#sandbox/json.mts';

/** One output item of a node. An item of a node's error output has the field `error`. */
export interface OutputItem {
	json: JsonRecord;
	binary: JsonRecord;
	pairedItem: unknown;
}

export const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** Returns the ID of a record from n8n's API. */
export function idOf(value: unknown): string {
	const { id } = recordIn(value);
	if (typeof id === 'string' || typeof id === 'number') return String(id);
	throw new Error('n8n answered without an id');
}

export type Execution = ReturnType<typeof readExecution>;

/** Parses an execution from n8n's API. */
export function readExecution(row: JsonRecord) {
	const stored = textOf(row['data']);
	/** The execution's complete data as n8n stores it. The other members of the result have only parts of it. */
	const data = stored === undefined ? {} : recordIn(parseFlatted(stored));
	const { runData, error } = recordIn(data['resultData']);
	const { message, description, node: failed } = recordIn(error);
	const runs = recordIn(runData);
	/** One of n8n's statuses: success, error, canceled, crashed, running, waiting, new. */
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
		 * Returns the items of one output of a node, from all runs of the node. Outputs are counted from 0, and the last
		 * one can be the error output. Returns an empty list if the node didn't run.
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
		/** Whether n8n has stored the nodes' results. n8n 1.x stores them a moment after the final status. */
		isWhole:
			!['success', 'error'].includes(status) || Object.keys(runs).length > 0 || isRecord(error),
		data,
	};
}
