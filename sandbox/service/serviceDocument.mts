import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path/posix';

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { parse } from 'yaml';

import { parseGuid } from './guid.mts';
import type { ApiOperation } from './model.mts';
import { parseTimestamp } from './time.mts';

/** A schema violation that the service answers with 400 (`x-refused`). `*` matches one step, `**` any path. */
interface Refusal {
	at: string;
	keyword?: string;
	/** Can contain `{name}`, which becomes the first step of the path, and `{reason}`. */
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

/** The document's name among the schemas, so that references resolve from anywhere. */
const BASE = 'service.openapi.yaml';

/** docs/service.openapi.yaml. */
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

/** One of the four operations from the document. `path` has `{name}` for each parameter. */
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
		/** JSON schemas of a request's parts. */
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

/** @throws if the document lacks the operation */
export function documentedOperation(id: ApiOperation): DocumentedOperation {
	const found = documentedOperations.find((operation) => operation.id === id);
	if (found === undefined) throw new Error(`docs/service.openapi.yaml has no operation ${id}`);
	return found;
}

/** Values in an address are text. */
type Part = 'text' | 'json';

/** Validates strictly by the document's schemas and formats, as a client should send values. */
export function validator(part: Part): Ajv2020 {
	const coerceTypes = part === 'text';
	const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes, useDefaults: true });
	ajvFormats.default(ajv);
	return ajv.addSchema(serviceDocument, BASE, undefined, false);
}

/** Validates leniently, like the service: accepts a GUID and a date in any usual form. */
const reader = (part: Part) =>
	validator(part)
		.addFormat('uuid', (text: string) => parseGuid(text) !== null)
		.addFormat('date-time', (text: string) => parseTimestamp(text) !== null);

const READERS = { text: reader('text'), json: reader('json') };

/** Path of the error in the value, including a missing or surplus property. */
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
 * Checks a part of a request. Returns the message of the first violation that the service rejects, or null. Converts
 * values of an address to the schema's types, and adds its defaults, in place.
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
