import { NodeApiError } from 'n8n-workflow';

import {
	type CreatedInspection,
	createdInspection,
	lookedUpInspection,
	sameNameAmong,
} from '../../domain/create/createdInspection';
import type { CreateRequest } from '../../domain/create/createRequest';
import type { UniqueKey } from '../../domain/create/uniqueKey';
import { type JsonRecord, textOf } from '../../domain/json';
import { MAX_PAGE_SIZE } from '../../domain/limits';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import { cleanLine, htmlText } from '../../domain/shownText';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import { copyOfError, isInDoubt } from '../../transport/serviceError';
import type { CreatedOnce } from './createdOnce';

/** A request, and where it is sent. */
export type SendableRequest = Pick<CreateRequest, 'body' | 'sent'> & {
	service: { client: InspectionServiceClient };
};

/** Inspections that an error names. Chosen: a person looks at one or two of them. */
const SHOWN_INSPECTIONS = 3;
const FOUND_BY_KEY =
	'The response to the create got lost. The inspection was found by its unique key; what warnings the service gave is unknown.';

/**
 * Looks for the inspection of a create in doubt, by its unique key. Where there is none, it throws `error` and adds that
 * running the item again is safe. An error of any other kind is thrown as it is.
 */
export async function settleByKey(
	error: unknown,
	{ key, template }: { key: UniqueKey; template: JsonRecord },
	lookUp: CreatedOnce,
): Promise<CreatedInspection> {
	if (!(error instanceof NodeApiError) || !isInDoubt(error)) throw error;
	const made = await lookUp.madeInDoubt(key, template);
	if (made !== undefined) return foundByKey(made);
	throw withDescription(
		error,
		`No inspection with the unique key "${cleanLine(key.value, 100)}" is to be seen. Running this item again is safe: where the inspection exists after all, it is returned and not made again.`,
	);
}

/** The output for an inspection that a create in doubt has made. */
export function foundByKey(made: JsonRecord): CreatedInspection {
	return lookedUpInspection(made, { alreadyExisted: false, warnings: [FOUND_BY_KEY] });
}

/**
 * Creates without a unique key. After a create in doubt it makes one more request, and the error names the newest
 * inspections of the same name, or of the same template where no name was sent. `known` gives the ids of inspections that
 * this run has created for other items: the error leaves them out.
 */
export function createUnkeyed(
	{ service: { client }, body, sent }: SendableRequest,
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

async function newestOf(client: InspectionServiceClient): Promise<readonly InspectionRecord[]> {
	const newestFirst = { sortBy: 'created_at', sortOrder: 'desc' } as const;
	const asked = { ...newestFirst, page: 1, pageSize: MAX_PAGE_SIZE };
	return (await client.listInspections(asked)).inspections;
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

/** A copy of the error with another description: first `text`, which is plain text, then `html`. */
function withDescription(error: NodeApiError, text: string, html = ''): NodeApiError {
	const copy = copyOfError(error);
	copy.description = `${htmlText(text)} ${html}`.trim();
	return copy;
}
