/** Checks requests to the sandbox strictly against docs/service.openapi.yaml, and also its responses. */
import { documentedOperations, placeOf, validator } from '#sandbox/service/serviceDocument.mts';

/** A request as the sandbox publishes it on REQUEST_CHANNEL. */
export interface PublishedRequest {
	operation: string;
	/** The path and query, as sent. */
	url: string;
	/** The value of the header access-token. */
	key: unknown;
	params: unknown;
	query: unknown;
	body: string;
}

const STRICT = { text: validator('text'), json: validator('json') };

/** Returns all violations of a schema in the OpenAPI document. Empty if the value is valid. */
export function problemsOf(value: unknown, schema: object, part: keyof typeof STRICT): string[] {
	const isValid = STRICT[part].compile(schema);
	if (isValid(value)) return [];
	return (isValid.errors ?? []).map((error) => `${placeOf(error)} ${error.message ?? ''}`.trim());
}

/**
 * The schemas of each operation's requests. They don't allow query parameters that the OpenAPI document doesn't have.
 */
const SCHEMAS = new Map<string, { params: object; query: object; body?: object }>(
	documentedOperations.map(({ id, schemas: { querystring, ...others } }) => [
		id,
		{ ...others, query: { ...querystring, additionalProperties: false } },
	]),
);

function bodyProblems(schema: object | undefined, text: string): string[] {
	if (schema === undefined) return text === '' ? [] : ['there is a body'];
	try {
		return problemsOf(JSON.parse(text), schema, 'json');
	} catch {
		return ['the body is not JSON'];
	}
}

/** Returns all violations of the OpenAPI document in a request, including unknown query parameters. */
export function requestProblems({
	operation,
	key,
	params,
	query,
	body,
}: PublishedRequest): string[] {
	const schemas = SCHEMAS.get(operation);
	// Downloads from signed URLs have no schemas, because they aren't an operation of the OpenAPI document.
	if (schemas === undefined) return [];
	return [
		...(typeof key === 'string' ? [] : ['The header access-token is missing']),
		...problemsOf(params, schemas.params, 'text'),
		...problemsOf(query, schemas.query, 'text'),
		...bodyProblems(schemas.body, body),
	];
}
