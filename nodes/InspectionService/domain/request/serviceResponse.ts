import { isObject, isRecord, type JsonRecord, textOf } from '../json';
import { shapeOf, UnexpectedResponseError } from '../responseShape';
import { isHtml, serviceWords } from '../serviceWords';
import { cleanLine } from '../shownText';
import { STRANGE } from './explanation';
import { type Asked, ATTEMPTS, failureOf, type RequestFailure } from './requestFailure';

/**
 * Levels of a response that are read. A page of inspections has eight. Measured with Node 24: `structuredClone` fails at
 * 2,000 levels, `JSON.stringify` at 5,000 and n8n's `deepCopy` at 10,000.
 */
const MAX_LEVELS = 200;

/** True for the status of a success: 2xx (RFC 9110, section 15.3). */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/**
 * Takes the value that a call wants out of the body of a successful response. `read` throws where the body has the wrong
 * shape, with a message that says what came instead.
 * @throws RequestFailure where the response cannot be used
 */
export function readResponse<Value>(
	asked: Asked,
	{ status, body }: { status: number; body: string },
	read: (json: unknown) => Value,
): Value {
	if (body.trim() === '') throw cutOff(asked, status, 'it is empty');
	if (isHtml(body)) {
		const title = serviceWords(body);
		const titled = title === undefined ? '' : ` titled "${title}"`;
		throw unusableResponse(asked, status, `it is a web page${titled}, not JSON`);
	}
	let json: unknown;
	try {
		json = cutDepths(JSON.parse(body), MAX_LEVELS);
	} catch {
		const begins = `it is no JSON, or was cut off. It begins: ${cleanLine(body, 80)}`;
		throw cutOff(asked, status, begins);
	}
	try {
		return read(json);
	} catch (error) {
		throw unusableResponse(asked, status, error instanceof Error ? error.message : String(error));
	}
}

/** The value itself, with a text in the place of what lies too deep. The recursion ends with the levels. */
function cutDepths(value: unknown, levels: number): unknown {
	if (!isObject(value)) return value;
	if (levels < 0) return `nested more than ${String(MAX_LEVELS)} levels deep`;
	if (Array.isArray(value)) {
		// `for … in` takes thirty times as long here.
		value.forEach((inner: unknown, index) => {
			if (isObject(inner)) value[index] = cutDepths(inner, levels - 1);
		});
		return value;
	}
	for (const key in value) {
		const inner = value[key];
		if (isObject(inner)) value[key] = cutDepths(inner, levels - 1);
	}
	return value;
}

/**
 * The failure of a success that cannot be used. A maintenance page may come with a 200, so a trigger has to go on polling.
 * `reason` completes "The response of the service cannot be used: …".
 */
export function unusableResponse(asked: Asked, status: number, reason: string): RequestFailure {
	return failureOf(asked, {
		message: `The response of the service (${String(status)}) cannot be used: ${reason}`,
		description: STRANGE.cure,
		httpCode: String(status),
		cause: 'temporarily-unavailable',
		inDoubt: true,
	});
}

/** Where a response is empty or was cut off, another try may help. */
function cutOff(asked: Asked, status: number, reason: string): RequestFailure {
	return unusableResponse(asked, status, reason).with({ attempts: ATTEMPTS.trouble });
}

/** A template (Template of docs/service.openapi.yaml). Only its id is certain. */
export function templateOf(json: unknown): JsonRecord {
	if (isRecord(json) && textOf(json.id) !== undefined) return json;
	throw wrongShape('a template with an "id"', json);
}

/** Both shapes of the response to a create: the inspection, or an object with the inspection under `inspection`. */
export function createdOf(json: unknown): JsonRecord {
	if (isRecord(json)) {
		const inspection = isRecord(json.inspection) ? json.inspection : json;
		if (textOf(inspection.id) !== undefined) return json;
	}
	throw wrongShape('an inspection with an "id", or an object with it under "inspection"', json);
}

/** The response of the file URL operation: only `url` is known of it. */
export function fileUrlOf(json: unknown): JsonRecord & { url: string } {
	const url = isRecord(json) ? textOf(json.url) : undefined;
	if (isRecord(json) && url !== undefined) return { ...json, url };
	throw wrongShape('an object with the download URL under "url"', json);
}

function wrongShape(wanted: string, json: unknown): UnexpectedResponseError {
	return new UnexpectedResponseError(`it should be ${wanted}, and is ${shapeOf(json)}`);
}
