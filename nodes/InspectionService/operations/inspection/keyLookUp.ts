import {
	type CreatedInspection,
	createdInspection,
	lookedUpInspection,
} from '../../domain/create/createdInspection';
import {
	KeyedInspections,
	keyOfInspection,
	type UniqueKey,
	withUniqueKey,
} from '../../domain/create/uniqueKey';
import { type JsonRecord, textOf } from '../../domain/json';
import { isInDoubt as isCreateInDoubt, RequestFailure } from '../../domain/request/requestFailure';
import { cleanLine } from '../../domain/shownText';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import type { OrderRequest } from './createRequests';
import {
	type KeyReading,
	type KeyReadings,
	type KeySearch,
	lateBefore,
	readKeys,
	readSince,
} from './keyReading';
import type { SendableRequest } from './madeInExecution';

// Exactly once, the second half (docs/exactly-once.md): a unique key is looked up before its create, and after a create in
// doubt. The first half, what this execution has made, is madeInExecution.ts.

const FOUND_BY_KEY =
	'The response to the create got lost. The inspection was found by its unique key; what warnings the service gave is unknown.';

type KeyedRequest = SendableRequest & Pick<OrderRequest, 'template'>;

/** The unique key of a unit, and what is known before its create is sent. */
interface KeyedUnit {
	key: UniqueKey;
	lookUp: CreatedOnce;
	/** True where an earlier try of n8n's Retry On Fail has sent the create and nobody knows whether it took effect. */
	isInDoubt: boolean;
}

/**
 * Looks whether an inspection has the key already. The function that it returns gives that inspection, or creates one; if
 * the create is in doubt, it looks for the inspection. Throws InputError where the request has a custom field of the
 * key's name, and RequestFailure where the list cannot be read.
 */
export async function createKeyed(
	request: KeyedRequest,
	{ key, lookUp, isInDoubt }: KeyedUnit,
): Promise<() => Promise<CreatedInspection>> {
	const body = withUniqueKey(request.body, key);
	const { template } = request;
	const { client } = request.service;
	const existing = await lookUp.existing(key, template);
	if (existing !== undefined) {
		const found = isInDoubt
			? foundByKey(existing)
			: lookedUpInspection(existing, {
					alreadyExisted: true,
					warnings: canceledWarnings(existing, key),
				});
		return async () => await Promise.resolve(found);
	}
	const make = async () =>
		await client.createInspection(body).then(
			(response) => withKeptKey(createdInspection(response, request.sent), key),
			async (error: unknown) => await settleByKey(error, { key, template }, lookUp),
		);
	return async () => {
		const made = isInDoubt ? await lookUp.madeInDoubt(key, template) : undefined;
		const created = made === undefined ? await make() : foundByKey(made);
		await lookUp.remember(key, template, created);
		return created;
	};
}

/** A canceled inspection counts as well, and most people do not expect that. */
export function canceledWarnings({ status }: JsonRecord, { value }: UniqueKey): string[] {
	if (textOf(status)?.toLowerCase() !== 'canceled') return [];
	return [
		`The inspection with the unique key "${value}" is canceled, and none was created in its place. Give another key to create one.`,
	];
}

/** Adds a warning where the service has dropped the custom field with the key: the next execution would create again. */
function withKeptKey(created: CreatedInspection, { field, value }: UniqueKey): CreatedInspection {
	if (keyOfInspection(created, field) === value) return created;
	const warning = `The service did not keep the custom field "${field}" with the unique key: the next execution does not recognise this inspection and creates it again.`;
	return { ...created, warnings: [...created.warnings, warning] };
}

/**
 * Looks for the inspection of a create in doubt, by its unique key. Where there is none, it throws `error` and adds that
 * running the item again is safe. An error of any other kind is thrown as it is.
 */
async function settleByKey(
	error: unknown,
	{ key, template }: { key: UniqueKey; template: JsonRecord },
	lookUp: CreatedOnce,
): Promise<CreatedInspection> {
	if (!isCreateInDoubt(error)) throw error;
	const made = await lookUp.madeInDoubt(key, template);
	if (made !== undefined) return foundByKey(made);
	throw error.with({
		description: `No inspection with the unique key "${cleanLine(key.value, 100)}" is to be seen. Running this item again is safe: where the inspection exists after all, it is returned and not made again.`,
	});
}

/** The output for an inspection that a create in doubt has made. */
function foundByKey(made: JsonRecord): CreatedInspection {
	return lookedUpInspection(made, { alreadyExisted: false, warnings: [FOUND_BY_KEY] });
}

/** The waits before each look for an inspection in doubt, in ms: 31 s in all, which find one that shows up 20 s late. */
const WAITS_MS = [0, 1_000, 2_000, 4_000, 8_000, 16_000];
/**
 * After so many waits that found no inspection, the next ones are looked for once, without waiting. Otherwise 500
 * rows in doubt at a broken service would take 25 minutes.
 */
const MAX_WAITED_IN_VAIN = 2;

/** Looks inspections up by their unique keys, so that none is created twice. `template` is a unit's template. */
export interface CreatedOnce {
	/**
	 * The inspection of the template that has the key already; undefined for none. The first call reads the list, for all
	 * keys. Throws RequestFailure where the list cannot be read: then nothing may be created.
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
	let reading: Promise<KeyReading> | undefined;
	let waitedInVain = 0;
	const before = async () => await (reading ??= readKeys(readings, client, search, Date.now()));

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
				await readSince(client, since, (page) => {
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
	if (!(error instanceof RequestFailure)) throw error;
}
