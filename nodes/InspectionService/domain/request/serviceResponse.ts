import { isObject, isRecord, type JsonRecord, parseJson, textOf } from '../json';
import { shapeOf, UnexpectedResponseError } from '../responseShape';
import { isHtml, serviceWords } from '../serviceWords';
import { cleanLine } from '../shownText';
import { CHECK_ADDRESS } from './explanation';
import { type Asked, ATTEMPTS, failureOf, type RequestFailure } from './requestFailure';
import { type Refusal, statusFailure } from './statusFailure';

/** A page of inspections has eight. `structuredClone` fails at 2,000 (Node 24). */
const RESPONSE_LEVELS = 200;

export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** The value of a success. Throws RequestFailure for an error status, and where a success cannot be used. */
export function valueOf<Value>(
	asked: Asked,
	{ status, headers, body }: Refusal,
	{ redact, now }: { redact: (text: string) => string; now: number },
	read: (json: unknown) => Value,
): Value {
	const text = redact(body);
	if (!isSuccess(status)) {
		const location = redact(textOf(headers.location) ?? '');
		throw statusFailure(asked, { status, headers: { ...headers, location }, body: text }, now);
	}
	if (isHtml(text)) {
		const title = serviceWords(text);
		const titled = title === undefined ? '' : ` titled "${title}"`;
		throw unusableResponse(asked, status, `it is a web page${titled}, not JSON`);
	}
	// No Content: it depends on the operation whether that can be used.
	const json = status === 204 ? null : parseJson(text);
	if (json === undefined) {
		const begins = text.trim() && `it is no JSON, or was cut off. It begins: ${cleanLine(text)}`;
		const failure = unusableResponse(asked, status, begins || 'it is empty');
		throw failure.with({ attempts: ATTEMPTS.trouble });
	}
	try {
		return read(cutDepths(json, RESPONSE_LEVELS));
	} catch (error) {
		throw unusableResponse(asked, status, error instanceof Error ? error.message : String(error));
	}
}

/** The value itself, with a text in the place of what lies too deep. */
function cutDepths(value: unknown, levels: number): unknown {
	if (!isObject(value)) return value;
	if (levels < 0) return `nested more than ${String(RESPONSE_LEVELS)} levels deep`;
	const cut = (inner: unknown, key: string | number) => {
		if (isObject(inner)) value[key] = cutDepths(inner, levels - 1);
	};
	// `for … in` takes thirty times as long for a list.
	if (Array.isArray(value)) value.forEach(cut);
	else for (const key in value) cut(value[key], key);
	return value;
}

/** A maintenance page may come with a 200, so a trigger has to go on polling. */
export function unusableResponse(asked: Asked, status: number, reason: string): RequestFailure {
	return failureOf(asked, {
		message: `The response of the service (${String(status)}) cannot be used: ${reason}`,
		description: CHECK_ADDRESS,
		httpCode: String(status),
		cause: 'temporarily-unavailable',
		inDoubt: true,
	});
}

export function templateOf(json: unknown): JsonRecord {
	if (isRecord(json) && textOf(json.id) !== undefined) return json;
	throw wrongShape('a template with an "id"', json);
}

export function createdOf(json: unknown): JsonRecord {
	if (isRecord(json)) {
		const inspection = isRecord(json.inspection) ? json.inspection : json;
		if (textOf(inspection.id) !== undefined) return json;
	}
	throw wrongShape('an inspection with an "id", or an object with it under "inspection"', json);
}

export function fileUrlOf(json: unknown): JsonRecord & { url: string } {
	const url = isRecord(json) ? textOf(json.url) : undefined;
	if (isRecord(json) && url !== undefined) return { ...json, url };
	throw wrongShape('an object with the download URL under "url"', json);
}

function wrongShape(wanted: string, json: unknown): UnexpectedResponseError {
	return new UnexpectedResponseError(`it should be ${wanted}, and is ${shapeOf(json)}`);
}
