import { isObject, isRecord } from '../json';

/** An error that a service reports in the body of a successful response. */
export interface ReportedError {
	/** The HTTP status that the body contains. Undefined if it contains none. */
	readonly status: number | undefined;
}

/**
 * Returns the error that a JSON body reports: `errors` or `error` with a value, `success: false`, or a `code` or
 * `status` that is an error of HTTP. Not for a resource, which can have fields with these names.
 */
export function reportedError(json: unknown): ReportedError | undefined {
	if (!isRecord(json)) return undefined;
	const { code, status: given, success, error, errors } = json;
	const inner = isRecord(error) ? [error.code, error.status] : [];
	const status = [code, given, ...inner].map(Number).find(isErrorStatus);
	const isError = status !== undefined || success === false || hasValue(error) || hasValue(errors);
	return isError ? { status } : undefined;
}

function isErrorStatus(status: number): boolean {
	return Number.isInteger(status) && status >= 400 && status < 600;
}

function hasValue(value: unknown): boolean {
	return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}
