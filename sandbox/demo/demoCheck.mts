/** What the demo's steps check with. */
import assert from 'node:assert/strict';
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';

import type { Execution } from './n8nClient.mts';
import type { N8nServer } from './n8nServer.mts';

export function succeeded(execution: Execution): Execution {
	const { status, error } = execution;
	const reason = error === undefined ? '' : `: ${error.node ?? ''}: ${error.message}`;
	assert(status === 'success', `the workflow ended with "${status}"${reason}`);
	return execution;
}

/** A sheet's rows below its header, in n8n's files folder. */
export async function readRows({ filesFolder }: N8nServer, file: string) {
	const [, ...rows] = await readSheet(join(filesFolder, file));
	return rows;
}

/** "1 row", "2 rows" */
export function count(things: readonly unknown[], noun: string): string {
	return `${String(things.length)} ${noun}${things.length === 1 ? '' : 's'}`;
}
