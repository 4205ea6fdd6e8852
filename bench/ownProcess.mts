import { join } from 'node:path';

import { execaNode } from 'execa';

import { isRecord, type JsonRecord } from '#sandbox/json.mts';

/** Runs a script of this folder in a separate process, as n8n would. Its last output is one JSON object. */
export async function inOwnProcess(
	script: string,
	args: readonly string[] = [],
): Promise<JsonRecord> {
	const { stdout } = await execaNode(join(import.meta.dirname, script), args, {
		nodeOptions: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
		timeout: 900_000,
	});
	const answer: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
	if (isRecord(answer)) return answer;
	throw new Error(`${script} printed no object`);
}
