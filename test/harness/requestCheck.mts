/** Checks requests and responses of the sandbox strictly against docs/service.openapi.yaml. */
import { documentedOperations, placeOf, validator } from '#sandbox/service/serviceDocument.mts';

/** A request as the sandbox publishes it (REQUEST_CHANNEL). */
export interface ToldRequest {
	operation: string;
	/** Path and query as sent. */
	url: string;
	/** The access-token. */
	key: unknown;
	params: unknown;
	query: unknown;
	body: string;
}

const STRICT = { text: validator('text'), json: validator('json') };

/** All violations of a schema of the document. Empty if the value is valid. */
export function problemsOf(value: unknown, schema: object, part: keyof typeof STRICT): string[] {
	const isValid = STRICT[part].compile(schema);
	if (isValid(value)) return [];
	return (isValid.errors ?? []).map((error) => `${placeOf(error)} ${error.message ?? ''}`.trim());
}

/** The schemas of each operation's request. They reject parameters that the document doesn't have. */
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

/** All violations of the document in a request, including unknown parameters. */
export function requestProblems({ operation, key, params, query, body }: ToldRequest): string[] {
	const schemas = SCHEMAS.get(operation);
	// A download, which isn't an operation of the document.
	if (schemas === undefined) return [];
	return [
		...(typeof key === 'string' ? [] : ['there is no access-token']),
		...problemsOf(params, schemas.params, 'text'),
		...problemsOf(query, schemas.query, 'text'),
		...bodyProblems(schemas.body, body),
	];
}
