import { NodeApiError } from 'n8n-workflow';

import {
	type CreatedInspection,
	createdInspection,
	lookedUpInspection,
} from '../../domain/create/createdInspection';
import type { CreateRequest } from '../../domain/create/createRequest';
import { sameNameAmong } from '../../domain/create/sameName';
import type { UniqueKey } from '../../domain/create/uniqueKey';
import { type JsonRecord, textOf } from '../../domain/json';
import { MAX_PAGE_SIZE } from '../../domain/limits';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import { cleanLine, htmlText } from '../../domain/shownText';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import { copyOfError, isInDoubt } from '../../transport/serviceError';
import type { CreatedOnce } from './createdOnce';

/** Inspections that an error names: a person looks at one or two. */
const SHOWN_INSPECTIONS = 3;
const FOUND_BY_KEY =
	'The response to the create got lost. The inspection was found by its unique key; what warnings the service gave is unknown.';

/**
 * What became of a create in doubt, found out by its key: the inspection that it made. Throws the error where none is to
 * be seen, and says then that running the item again is safe. Throws any other error as it is.
 */
export async function settleByKey(
	error: unknown,
	key: UniqueKey,
	lookUp: CreatedOnce,
): Promise<CreatedInspection> {
	if (!(error instanceof NodeApiError) || !isInDoubt(error)) throw error;
	const made = await lookUp.madeInDoubt(key);
	if (made !== undefined) return foundByKey(made);
	throw withDescription(
		error,
		`No inspection with the unique key "${cleanLine(key.value, 100)}" is to be seen. Running this item again is safe: where the inspection exists after all, it is returned and not made again.`,
	);
}

/** The inspection that a create in doubt has made. */
export function foundByKey(made: JsonRecord): CreatedInspection {
	return lookedUpInspection(made, { alreadyExisted: false, warnings: [FOUND_BY_KEY] });
}

/**
 * Creates without a key. The error of a create in doubt says what the service shows then: the newest inspections of that
 * name, or of that template where no name was sent. One more request. `known` are the ids of inspections that are others.
 */
export function createUnkeyed(
	client: InspectionServiceClient,
	{ body, sent }: CreateRequest,
	known: () => ReadonlySet<string>,
): () => Promise<CreatedInspection> {
	const explain = async (error: unknown): Promise<never> => {
		if (!(error instanceof NodeApiError) || !isInDoubt(error)) throw error;
		const newest = await newestOf(client).catch(() => undefined);
		if (newest === undefined) throw error;
		const others = newest.filter(({ id }) => !known().has(id));
		throw withDescription(error, seenText(sameNameAmong(others, body)), error.description ?? '');
	};
	return async () => createdInspection(await client.createInspection(body).catch(explain), sent);
}

async function newestOf(client: InspectionServiceClient): Promise<InspectionRecord[]> {
	const newestFirst = { sortBy: 'created_at', sortOrder: 'desc' } as const;
	return await client.listInspections({ ...newestFirst, page: 1, pageSize: MAX_PAGE_SIZE });
}

function seenText(inspections: readonly InspectionRecord[]): string {
	if (inspections.length === 0) {
		return 'The service shows no such inspection yet; it may become visible later.';
	}
	const shown = inspections.slice(0, SHOWN_INSPECTIONS).map(({ id, name, created_at: at }) => {
		return `"${cleanLine(textOf(name) ?? '', 100)}" (${id}), created at ${cleanLine(textOf(at) ?? 'an unknown time', 40)}`;
	});
	const more = inspections.length - shown.length;
	return `The service shows ${shown.join('; ')}${more > 0 ? `; and ${String(more)} more` : ''}.`;
}

/** The same error with another description: plain text, then what is HTML already. */
function withDescription(error: NodeApiError, text: string, html = ''): NodeApiError {
	const copy = copyOfError(error);
	copy.description = `${htmlText(text)} ${html}`.trim();
	return copy;
}
