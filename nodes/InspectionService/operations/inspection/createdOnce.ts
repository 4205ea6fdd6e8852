import { NodeApiError } from 'n8n-workflow';

import { KeyedInspections, type UniqueKey } from '../../domain/create/uniqueKey';
import type { JsonRecord } from '../../domain/json';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import { failAlone } from '../../transport/serviceError';
import { listOf } from '../../transport/serviceList';
import {
	type KeyReading,
	type KeyReadings,
	type KeySearch,
	lateBefore,
	readKeys,
	readSince,
} from './keyReading';

/** The waits before each look for an inspection in doubt, in ms. Chosen: 31 s in all find one that shows up 20 s late. */
const WAITS_MS = [0, 1_000, 2_000, 4_000, 8_000, 16_000];
/**
 * After so many waits that found no inspection, the next ones are looked for once, without waiting. Chosen: otherwise 500
 * rows in doubt at a broken service would take 25 minutes.
 */
const MAX_WAITED_IN_VAIN = 2;

/** Looks inspections up by their unique keys, so that none is created twice. `template` is a unit's template. */
export interface CreatedOnce {
	/**
	 * The inspection of the template that has the key already; undefined for none. The first call reads the list, for all
	 * keys. Throws NodeApiError where the list cannot be read: then nothing may be created.
	 */
	existing(key: UniqueKey, template: JsonRecord): Promise<JsonRecord | undefined>;
	/**
	 * The inspection that a create in doubt made, looked for again and again with growing waits, about 30 s in all.
	 * Undefined where it was not seen, the list could not be read, or the execution was cancelled.
	 */
	madeInDoubt(key: UniqueKey, template: JsonRecord): Promise<JsonRecord | undefined>;
	/** Remembers an inspection that was made, for the later rounds of a loop. */
	remember(key: UniqueKey, template: JsonRecord, made: JsonRecord): Promise<void>;
}

/** @param readings where the reading of the list is kept for as long as the execution runs */
export function createdOnce(
	client: InspectionServiceClient,
	search: KeySearch,
	readings: KeyReadings = {},
): CreatedOnce {
	const source = listOf(client);
	let reading: Promise<KeyReading> | undefined;
	let waitedInVain = 0;
	const before = async () =>
		await (reading ??= readKeys(readings, source, search, Date.now())).catch(failAlone);

	return {
		async existing({ value }, template) {
			return (await before()).found.get(value, template);
		},
		async madeInDoubt({ field, value }, template) {
			const since = lateBefore((await before()).newest);
			const wanted = new Set([value]);
			for (const wait of waitedInVain < MAX_WAITED_IN_VAIN ? WAITS_MS : [0]) {
				if (!(await client.wait(wait))) return undefined;
				const found = new KeyedInspections(field);
				await readSince(source, since, (page) => {
					found.add(page, wanted);
				}).catch(ignoreUnreadable);
				const made = found.get(value, template);
				if (made !== undefined) return made;
			}
			waitedInVain += 1;
			return undefined;
		},
		async remember({ value }, template, made) {
			(await before()).found.keep(value, made, { template: template.id });
		},
	};
}

/** After a failed look nothing is known, and the service may be well again at the next one. */
function ignoreUnreadable(error: unknown): void {
	if (!(error instanceof NodeApiError)) throw error;
}
