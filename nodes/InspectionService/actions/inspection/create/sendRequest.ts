import {
	changedResponses,
	type CreatedInspection,
	createdOf,
	lookedUpInspection,
} from '../../../domain/create/createdInspection';
import { cleanLine } from '../../../domain/formatting';
import { type JsonRecord, textOf } from '../../../domain/json';
import { isOutcomeUnknown, type RequestFailure } from '../../../domain/request/requestFailure';
import type { InspectionRequest } from './buildRequest';

/**
 * Returns the existing inspection with a request's key, compared with the request. Throws if the list can't be read.
 */
export async function findExisting({
	template,
	keyed,
	sent,
	unused: unused_columns,
}: InspectionRequest): Promise<CreatedInspection | undefined> {
	if (keyed === undefined) return undefined;
	const { key, keys, wasOutcomeUnknown } = keyed;
	const existing = (await keys.known()).get(key, template);
	if (existing === undefined) return undefined;
	if (wasOutcomeUnknown) return foundByKey(existing, unused_columns);
	const warnings = canceledWarnings(existing, key);
	const data = await keys.answersOf(existing);
	const changed_responses = data === undefined ? null : changedResponses({ data }, sent);
	const already_existed = true;
	return lookedUpInspection(existing, {
		warnings,
		changed_responses,
		unused_columns,
		already_existed,
	});
}

/**
 * Creates the inspection of a request for which `findExisting` found none. If the request has a unique key, and the
 * outcome of this or an earlier attempt is unknown, searches for the inspection. Throws RequestFailure.
 */
export async function createInspection(request: InspectionRequest): Promise<CreatedInspection> {
	const { body, template, service, keyed, unused } = request;
	if (keyed === undefined) return createdOf(await service.client.createInspection(body), request);
	const { key, keys, wasOutcomeUnknown } = keyed;
	const search = async () => await keys.findAfterUnknownOutcome(key, template);
	const earlier = wasOutcomeUnknown ? await search() : undefined;
	if (earlier !== undefined) return foundByKey(earlier, unused);
	const created = await service.client.createInspection(body).then(
		(response) => createdOf(response, request, key),
		async (error: unknown) => {
			if (!isOutcomeUnknown(error)) throw error;
			const found = await search().catch(() => undefined);
			if (found === undefined) throw unseenByKey(error, key);
			return foundByKey(found, unused);
		},
	);
	// Set the template's ID, because the response may omit the template or contain its identifier instead.
	(await keys.known()).keep(key, { ...created.inspection, template_id: template.id });
	return created;
}

/** Returns the error of a request whose outcome is unknown, although the list was searched for its inspection. */
function unseenByKey(failure: RequestFailure, key: string): RequestFailure {
	return failure.with({
		description: `No inspection with the unique key "${cleanLine(key, 100)}" was found. It's safe to run this item again: if the inspection exists after all, it's returned, not duplicated.`,
	});
}

/** Returns a warning for a canceled inspection, because most people don't expect that it counts as existing. */
function canceledWarnings({ status }: JsonRecord, key: string): string[] {
	if (textOf(status)?.toLowerCase() !== 'canceled') return [];
	return [
		`The inspection with the unique key "${key}" is canceled, so no inspection was created. To create one, use a different key.`,
	];
}

function foundByKey(found: JsonRecord, unused_columns: string[]): CreatedInspection {
	const warning =
		"The service's response to Create was lost, so its warnings are unknown. The inspection was found by its unique key.";
	return lookedUpInspection(found, {
		warnings: [warning],
		changed_responses: [],
		unused_columns,
		already_existed: false,
	});
}
