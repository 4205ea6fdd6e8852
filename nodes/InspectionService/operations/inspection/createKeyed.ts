import {
	type CreatedInspection,
	createdInspection,
	lookedUpInspection,
} from '../../domain/create/createdInspection';
import { keyOfInspection, type UniqueKey, withUniqueKey } from '../../domain/create/uniqueKey';
import { type JsonRecord, textOf } from '../../domain/json';
import { rowsText } from '../../domain/rowProblems';
import type { CreatedOnce } from './createdOnce';
import { foundByKey, type SendableRequest, settleByKey } from './createInDoubt';
import type { UnitRequest } from './unitRequests';

/** The request for a unit. Of several items with one key, it is made of the first one. */
export type KeyedRequest = SendableRequest & Pick<UnitRequest, 'template' | 'unusedRows'>;

/** The unique key of a unit, and what is known before its create is sent. */
export interface KeyedUnit {
	key: UniqueKey;
	lookUp: CreatedOnce;
	/** True where an earlier try of n8n's Retry On Fail has sent the create and nobody knows whether it took effect. */
	isInDoubt: boolean;
}

/**
 * Looks whether an inspection has the key already. The function that it returns gives that inspection, or creates one; if
 * the create is in doubt, it looks for the inspection. Throws InputError where the request has a custom field of the
 * key's name, and NodeApiError where the list cannot be read.
 */
export async function createKeyed(
	request: KeyedRequest,
	{ key, lookUp, isInDoubt }: KeyedUnit,
): Promise<() => Promise<CreatedInspection>> {
	const body = withUniqueKey(request.body, key);
	const { template, unusedRows } = request;
	const { client } = request.service;
	const existing = await lookUp.existing(key, template);
	if (existing !== undefined) {
		const found = isInDoubt
			? foundByKey(existing)
			: lookedUpInspection(existing, { alreadyExisted: true, warnings: ifCanceled(existing, key) });
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
		return withUnusedRows(created, key, unusedRows);
	};
}

/** A canceled inspection counts as well, and most people do not expect that. */
function ifCanceled({ status }: JsonRecord, { value }: UniqueKey): string[] {
	if (textOf(status)?.toLowerCase() !== 'canceled') return [];
	return [
		`The inspection with the unique key "${value}" is canceled, and none was created in its place. Give another key to create one.`,
	];
}

/** Adds a warning for rows that have the same key by mistake. Without it, the second row would be lost unseen. */
function withUnusedRows(
	created: CreatedInspection,
	{ value }: UniqueKey,
	rows: UnitRequest['unusedRows'],
): CreatedInspection {
	if (rows.length === 0) return created;
	const named = rowsText(rows.map(({ number }) => number - 1));
	const warning = `The inspection has nothing of ${named}, which ${rows.length === 1 ? 'has' : 'have'} the unique key "${value}" as well: it was made of the first row with this key. Give each inspection a key of its own, or use Group Rows By.`;
	return { ...created, warnings: [...created.warnings, warning] };
}

/** Adds a warning where the service has dropped the custom field with the key: the next execution would create again. */
function withKeptKey(created: CreatedInspection, { field, value }: UniqueKey): CreatedInspection {
	if (keyOfInspection(created, field) === value) return created;
	const warning = `The service did not keep the custom field "${field}" with the unique key: the next execution does not recognise this inspection and creates it again.`;
	return { ...created, warnings: [...created.warnings, warning] };
}
