import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path/posix';

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { parse } from 'yaml';

import { parseGuid } from './guid.mts';
import type { ApiOperation } from './model.mts';
import { parseTimestamp } from './time.mts';

/**
 * A rule for schema violations that the service answers with 400 (`x-refused`). `at` is a pattern for the path of the
 * violation. In it, `*` matches one part of the path, and `**` any number of parts.
 */
interface Refusal {
	at: string;
	keyword?: string;
	/**
	 * The error message. In it, `{name}` is replaced by the first part of the path, and `{reason}` by the validator's
	 * message.
	 */
	message: string;
}

interface Parameter {
	name: string;
	in: 'path' | 'query';
	required?: boolean;
	schema: { type?: string };
	example?: unknown;
}

interface Response {
	$ref?: string;
	content?: Record<string, { schema?: object }>;
}

interface OperationObject {
	operationId: ApiOperation;
	parameters?: Parameter[];
	requestBody?: {
		content: Record<string, { schema: object; examples: Record<string, { value: unknown }> }>;
	};
	responses: Record<string, Response>;
	'x-permission': string;
	'x-refused': Refusal[];
}

interface ServiceDocument {
	paths: Record<string, Record<string, OperationObject>>;
	components: { responses: Record<string, Response> };
}

/**
 * The ID under which the validators know the document. Each `$ref` in the document begins with it, so that schemas
 * outside the document can contain these references.
 */
const BASE = 'service.openapi.yaml';

/** The parsed docs/service.openapi.yaml. */
export const serviceDocument: ServiceDocument = parse(
	readFileSync(new URL('../../docs/service.openapi.yaml', import.meta.url), 'utf8'),
	(key, value: unknown) => (key === '$ref' ? `${BASE}${String(value)}` : value),
);

function schemaOf(parameters: readonly Parameter[], place: Parameter['in']) {
	const there = parameters.filter((parameter) => parameter.in === place);
	return {
		type: 'object',
		required: there.filter(({ required }) => required).map(({ name }) => name),
		properties: Object.fromEntries(there.map(({ name, schema }) => [name, schema])),
	};
}

/** One of the four operations of the OpenAPI document. `path` contains `{name}` for each path parameter. */
export type DocumentedOperation = ReturnType<typeof documented>;

function documented(path: string, method: string, operation: OperationObject) {
	const { parameters = [], requestBody } = operation;
	const body = requestBody?.content['application/json'];
	return {
		id: operation.operationId,
		method: method.toUpperCase(),
		path,
		permission: operation['x-permission'],
		refusals: operation['x-refused'],
		parameters,
		bodyExamples: Object.values(body?.examples ?? {}).map(({ value }) => value),
		/** The JSON schemas of the parts of a request. */
		schemas: {
			params: schemaOf(parameters, 'path'),
			querystring: schemaOf(parameters, 'query'),
			...(body && { body: body.schema }),
		},
		responses: operation.responses,
	};
}

export const documentedOperations = Object.entries(serviceDocument.paths).flatMap(
	([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => documented(path, method, operation)),
);

/** Finds an operation of the OpenAPI document. @throws if there is no such operation */
export function documentedOperation(id: ApiOperation): DocumentedOperation {
	const found = documentedOperations.find((operation) => operation.id === id);
	if (found === undefined) throw new Error(`docs/service.openapi.yaml has no operation ${id}`);
	return found;
}

/** How a part of a request represents values: an address has only text, and a body is JSON. */
type Part = 'text' | 'json';

/**
 * Creates a strict validator. Values must match the OpenAPI document's schemas and formats exactly, as a client's
 * requests should.
 */
export function validator(part: Part): Ajv2020 {
	const coerceTypes = part === 'text';
	const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes, useDefaults: true });
	ajvFormats.default(ajv);
	return ajv.addSchema(serviceDocument, BASE, undefined, false);
}

/** Creates a validator that is as lenient as the service: it accepts GUIDs and dates in every usual notation. */
const reader = (part: Part) =>
	validator(part)
		.addFormat('uuid', (text: string) => parseGuid(text) !== null)
		.addFormat('date-time', (text: string) => parseTimestamp(text) !== null);

const READERS = { text: reader('text'), json: reader('json') };

/**
 * Returns the path of the violation, such as `/template_id`. If a property is missing or unexpected, the path includes
 * that property.
 */
export function placeOf({ instancePath, params }: ErrorObject): string {
	const property: unknown = params['missingProperty'] ?? params['additionalProperty'];
	return property === undefined ? instancePath : `${instancePath}/${String(property)}`;
}

function messageFor(error: ErrorObject, refusals: readonly Refusal[]): string | null {
	const place = placeOf(error);
	const refusal = refusals.find(
		({ at, keyword }) =>
			matchesGlob(place, at) && (keyword === undefined || keyword === error.keyword),
	);
	if (refusal === undefined) return null;
	return refusal.message
		.replace('{name}', place.split('/')[1] ?? '')
		.replace('{reason}', error.message ?? 'is not valid');
}

/**
 * Returns a function that validates one part of a request. That function returns the message of the first violation
 * that the service rejects, or null. It also changes the value: it converts text from the address to the schema's
 * types, and adds defaults.
 */
export function refusing(
	schema: object,
	part: Part,
	refusals: readonly Refusal[],
): (value: unknown) => string | null {
	const isValid = READERS[part].compile(schema);
	return (value) => {
		if (isValid(value)) return null;
		const messages = (isValid.errors ?? []).map((error) => messageFor(error, refusals));
		return messages.find((message) => message !== null) ?? null;
	};
}
