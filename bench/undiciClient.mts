// Does one job with undici (Node's own HTTP client) and 8 connections, then ends. The result shows how fast a client
// can be.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { Pool, request } from 'undici';

import { runConcurrently } from '#harness/runConcurrently.mts';
import { BUSY_MINUTES, letMinutePass } from './changingService.mts';
import { watchMemory } from './measurement.mts';

const CONNECTIONS = 8;
const PAGE_SIZE = 100;

const [apiUrl = '', key = '', job = '', ...rest] = process.argv.slice(2);
const headers = { 'access-token': key, 'content-type': 'application/json' };
const pool = new Pool(apiUrl, { connections: CONNECTIONS });

/** Runs `work` `count` times, with up to `CONNECTIONS` runs at the same time. */
async function overlapped(count: number, work: (index: number) => Promise<void>): Promise<void> {
	await runConcurrently(Array(Math.ceil(count)).keys(), CONNECTIONS, work);
}

/**
 * Reads pages by number. This misses or repeats inspections if the list changes meanwhile, but shows how fast reading
 * can be.
 */
async function list(inspections: number, more: string): Promise<void> {
	const all: unknown[] = [];
	await overlapped(inspections / PAGE_SIZE, async (page) => {
		const query = `page=${String(page + 1)}&page_size=${String(PAGE_SIZE)}&sort_by=created_at${more}`;
		const { body } = await pool.request({
			method: 'GET',
			path: `/v1/inspections?${query}`,
			headers,
		});
		const answer = (await body.json()) as { data: unknown[] };
		all.push(...answer.data);
	});
	if (all.length !== inspections) throw new Error(`${String(all.length)} inspections`);
}

/**
 * Reads the changes of each minute by page number, which can miss or repeat some. Returns the mean time per minute, in
 * ms.
 */
async function changed(changes: number): Promise<number> {
	let ms = 0;
	let since = new Date(0).toISOString();
	const read = async () => {
		const start = performance.now();
		const ids = new Set<string>();
		for (let page = 1; ; page++) {
			const path = `/v1/inspections?page=${String(page)}&page_size=${String(PAGE_SIZE)}&sort_by=updated_at&updated_after=${since}`;
			const { body } = await pool.request({ method: 'GET', path, headers });
			const { data } = (await body.json()) as { data: { id: string; updated_at: string }[] };
			for (const { id } of data) ids.add(id);
			if (data.length < PAGE_SIZE) return { ids, ms: performance.now() - start };
		}
	};
	for (let minute = 0; minute < BUSY_MINUTES; minute++) {
		const { body } = await pool.request({
			method: 'GET',
			path: '/v1/inspections?page_size=1&sort_by=updated_at&sort_order=desc',
			headers,
		});
		const { data } = (await body.json()) as { data: { updated_at: string }[] };
		since = data[0]?.updated_at ?? since;
		await letMinutePass(apiUrl, changes);
		const found = await read();
		ms += found.ms;
		if (found.ids.size < changes) throw new Error(`${String(found.ids.size)} found`);
	}
	return ms / BUSY_MINUTES;
}

async function create(templateId: string, rows: number, answers: number): Promise<void> {
	await overlapped(rows, async (row) => {
		const items = Array.from({ length: answers }, (_, n) => ({
			field_id: `q${String(n)}`,
			response: { value: `Row ${String(row)}` },
		}));
		const { statusCode, body } = await pool.request({
			method: 'POST',
			path: '/v1/inspections',
			headers,
			body: JSON.stringify({
				template_id: templateId,
				data: { item_type: 'question_response', items },
			}),
		});
		await body.json();
		if (statusCode !== 200) throw new Error(`status ${String(statusCode)}`);
	});
}

async function download(inspectionId: string, fileId: string): Promise<void> {
	const path = `/v1/inspections/${inspectionId}/files/${fileId}/url`;
	const { body } = await pool.request({ method: 'GET', path, headers });
	const { url } = (await body.json()) as { url: string };
	const folder = await mkdtemp(join(tmpdir(), 'bench-'));
	const file = await request(url);
	await pipeline(file.body, createWriteStream(join(folder, 'file')));
	await rm(folder, { recursive: true });
}

const JOBS: Record<string, () => Promise<unknown>> = {
	list: () => list(Number(rest[0]), rest[1] ?? ''),
	changed: () => changed(Number(rest[0])),
	create: () => create(rest[0] ?? '', Number(rest[1]), Number(rest[2])),
	download: () => download(rest[0] ?? '', rest[1] ?? ''),
};

const grown = watchMemory(process.pid);
const start = performance.now();
const own = await JOBS[job]?.();
const ms = typeof own === 'number' ? own : performance.now() - start;
const memory = grown();
await pool.close();
console.log(JSON.stringify({ ms, memory }));
