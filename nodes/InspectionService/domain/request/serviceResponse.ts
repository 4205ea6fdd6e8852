import { isRecord, type JsonRecord, textOf } from '../json';
import { isShallow, shallowCopy } from '../nesting';
import { shapeOf, UnexpectedResponseError } from '../responseShape';
import { isHtml, serviceWords } from '../serviceWords';
import { cleanLine } from '../shownText';
import type { RequestResult } from './requestFailure';

/** Characters that are shown of a response that is not JSON. A line of them is enough to recognise it. */
const MAX_SHOWN = 80;

/** True for the status of a success: 2xx (RFC 9110, section 15.3). */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/**
 * Takes the value that a call wants out of the body of a successful response. `read` throws where the body has the wrong
 * shape, with a message that says what came instead.
 */
export function readResponse<Value>(
	{ status, body }: { status: number; body: string },
	read: (json: unknown) => Value,
): RequestResult<Value> {
	if (body.trim() === '') return unusable(status, 'it is empty', true);
	if (isHtml(body)) {
		const title = serviceWords(body);
		const titled = title === undefined ? '' : ` titled "${title}"`;
		return unusable(status, `it is a web page${titled}, not JSON`, false);
	}
	let json: unknown;
	try {
		json = JSON.parse(body);
	} catch {
		const shown = cleanLine(body, MAX_SHOWN);
		return unusable(status, `it is no JSON, or was cut off. It begins: ${shown}`, true);
	}
	try {
		return { value: read(json) };
	} catch (error) {
		return unusable(status, error instanceof Error ? error.message : String(error), false);
	}
}

function unusable(status: number, reason: string, broken: boolean): RequestResult<never> {
	return { failure: { kind: 'response', status, reason, broken } };
}

/** A template (Template of docs/service.openapi.yaml). Only its id is certain. */
export function templateOf(json: unknown): JsonRecord {
	if (isRecord(json) && textOf(json.id) !== undefined) return storable(json);
	throw wrongShape('a template with an "id"', json);
}

/** Both shapes of the response to a create: the inspection, or an object with the inspection under `inspection`. */
export function createdOf(json: unknown): JsonRecord {
	if (isRecord(json)) {
		const inspection = isRecord(json.inspection) ? json.inspection : json;
		if (textOf(inspection.id) !== undefined) return storable(json);
	}
	throw wrongShape('an inspection with an "id", or an object with it under "inspection"', json);
}

/** The response of the file URL operation: only `url` is known of it. */
export function fileUrlOf(json: unknown): JsonRecord & { url: string } {
	const url = isRecord(json) ? textOf(json.url) : undefined;
	if (isRecord(json) && url !== undefined) return { ...storable(json), url };
	throw wrongShape('an object with the download URL under "url"', json);
}

/** Cuts a record that is nested too deep, because n8n can neither store nor copy it. No known value lies so deep. */
function storable(record: JsonRecord): JsonRecord {
	return isShallow(record) ? record : shallowCopy(record);
}

function wrongShape(wanted: string, json: unknown): UnexpectedResponseError {
	return new UnexpectedResponseError(`it should be ${wanted}, and is ${shapeOf(json)}`);
}
