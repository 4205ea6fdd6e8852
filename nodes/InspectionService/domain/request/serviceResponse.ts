import { cleanLine } from '../formatting';
import { MAX_ID_LENGTH, sentId } from '../id';
import {
	ENVELOPE_NAMES,
	isObject,
	isRecord,
	type JsonRecord,
	parseJsonWithLongIntegers,
	textOf,
} from '../json';
import { shapeOf, UnexpectedResponseError } from '../unexpectedResponse';
import { failureOf, type RequestFailure } from './requestFailure';
import type { RequestInfo, ServiceResponse } from './requestInfo';
import type { RequestEvent } from './retryPolicy';
import { isHtml, MAX_SEARCHED, serviceMessage } from './serviceMessage';
import { CHECK_ADDRESS, statusFailure } from './statusFailure';

/**
 * Maximum nesting of a response. A page of inspections has eight levels. `structuredClone` fails at 2,000 levels (Node
 * 24).
 */
const RESPONSE_LEVELS = 200;

export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/**
 * Parses a successful response and returns the result of `read`. Throws RequestFailure for an error status, and for a
 * response that can't be used.
 */
export function valueOf<Value>(
	info: RequestInfo,
	response: ServiceResponse,
	read: (json: unknown) => Value,
): Value {
	const { status, body, redact } = response;
	if (!isSuccess(status)) throw statusFailure(info, response);
	if (isHtml(body)) {
		const title = serviceMessage(body, redact);
		const titled = title === undefined ? '' : ` titled "${title}"`;
		throw unusableResponse(info, status, `it is a web page${titled}, not JSON`);
	}
	// Status 204 means "No Content". `read` decides whether it accepts null.
	const json = status === 204 ? null : parseJsonWithLongIntegers(body);
	if (json === undefined) {
		const beginning = cleanLine(redact(body.trimStart().slice(0, MAX_SEARCHED)));
		const begins = beginning && `it isn't JSON, or was cut off. It begins: ${beginning}`;
		throw unusableResponse(info, status, begins || 'it is empty', 'responseBroken');
	}
	const reported = reportedFailure(info, json, response);
	if (reported !== undefined && LISTS.has(info.operation)) throw reported;
	try {
		return read(cutDepths(json, RESPONSE_LEVELS));
	} catch (error) {
		if (reported !== undefined) throw reported;
		const reason = error instanceof Error ? error.message : String(error);
		throw unusableResponse(info, status, redact(reason)).with({ isWrongShape: true });
	}
}

/** The operations whose response isn't a resource. A resource can have fields with names such as `error` and `code`. */
const LISTS: ReadonlySet<RequestInfo['operation']> = new Set(['listInspections', 'testCredential']);

/**
 * Returns the error that the body of a successful response reports: `errors` or `error` with a value, `success: false`,
 * or a `code` or `status` that is an error of HTTP.
 */
function reportedFailure(
	info: RequestInfo,
	json: unknown,
	response: ServiceResponse,
): RequestFailure | undefined {
	if (!isRecord(json)) return undefined;
	const { code, status: given, success, error, errors } = json;
	const inner = isRecord(error) ? [error.code, error.status] : [];
	const statuses = [code, given, ...inner].map(Number).filter(Number.isInteger);
	const status = statuses.find((one) => one >= 400 && one < 600);
	if (status !== undefined) return statusFailure(info, { ...response, status });
	if (success !== false && !hasValue(error) && !hasValue(errors)) return undefined;
	const words = serviceMessage(response.body, response.redact) ?? 'without an explanation';
	return failureOf(info, 'responseUnusable', {
		message: `The service reported an error (${String(response.status)}): ${words}`,
		description:
			"Compare the values in the node with the service's message. If they are right, ask the service administrator.",
		httpCode: String(response.status),
	});
}

function hasValue(value: unknown): boolean {
	return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** Replaces a part of a value with text if it's nested too deeply. Changes and returns the same value. */
function cutDepths(value: unknown, levels: number): unknown {
	if (!isObject(value)) return value;
	if (levels < 0) return `nested more than ${String(RESPONSE_LEVELS)} levels deep`;
	// For an array, `for … in` and `Object.keys` are thirty times slower than its own keys.
	for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
		const member = value[key];
		if (isObject(member)) value[key] = cutDepths(member, levels - 1);
	}
	return value;
}

export function unusableResponse(
	info: RequestInfo,
	status: number,
	reason: string,
	event: RequestEvent = 'responseUnusable',
): RequestFailure {
	return failureOf(info, event, {
		message: `The response of the service (${String(status)}) can't be used: ${reason}`,
		description: CHECK_ADDRESS,
		httpCode: String(status),
	});
}

const ID_LENGTH = `of at most ${String(MAX_ID_LENGTH)} characters`;

export function templateOf(json: unknown): JsonRecord {
	if (isRecord(json) && sentId(json.id) !== undefined) return json;
	throw wrongShape(`a template with an "id" ${ID_LENGTH}`, json);
}

/** Returns the inspection that a create request returned, or the object that contains it under `inspection`. */
export function readCreated(json: unknown): JsonRecord {
	const created = createdIn(json);
	if (created !== undefined) return created;
	throw wrongShape(
		`an inspection with an "id" ${ID_LENGTH}, or an object whose "inspection" has such an "id"`,
		json,
	);
}

/** Maximum wrappers around an inspection, as around the list: `{data: {items: […]}}` has three. */
const WRAPPERS = 3;

/** A service can wrap a created inspection as it can wrap the list: `{data: {…}}`, or an array with one element. */
function createdIn(json: unknown, levels = WRAPPERS): JsonRecord | undefined {
	if (Array.isArray(json)) return json.length === 1 ? createdIn(json[0], levels - 1) : undefined;
	if (!isRecord(json)) return undefined;
	const inspection = isRecord(json.inspection) ? json.inspection : json;
	if (sentId(inspection.id) !== undefined) return json;
	if (levels <= 0 || inspection !== json || json.id !== undefined) return undefined;
	const inside = ENVELOPE_NAMES.map((name) => createdIn(json[name], levels - 1));
	const created = inside.find((found) => found !== undefined);
	// The task and the warnings can be outside of the wrapped inspection.
	const { task_id, warnings } = json;
	return (
		created && {
			inspection: created,
			task_id,
			warnings,
			...(isRecord(created.inspection) && created),
		}
	);
}

export function fileUrlOf(json: unknown): JsonRecord & { url: string } {
	const url = isRecord(json) ? textOf(json.url) : undefined;
	if (isRecord(json) && url !== undefined) return { ...json, url };
	throw wrongShape('an object with the download URL under "url"', json);
}

function wrongShape(wanted: string, json: unknown): UnexpectedResponseError {
	return new UnexpectedResponseError(`it should be ${wanted}, but is ${shapeOf(json)}`);
}
