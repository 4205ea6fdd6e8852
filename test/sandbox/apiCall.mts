import { expect } from 'vitest';

import { problemsOf } from '#harness/requestCheck.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';
import { documentedOperations, serviceDocument } from '#sandbox/service/serviceDocument.mts';
import type { FileSpec, InspectionSpec } from '#sandbox/service/specs.mts';

export type Reply = Awaited<ReturnType<typeof call>>;

/** Returns how a response violates docs/service.openapi.yaml: in its status, its content type, or its body. */
function responseProblems(operation: string, { status, headers }: Response, json: unknown) {
	const documented = documentedOperations.find(({ id }) => id === operation);
	const response = documented?.responses[String(status)];
	if (response === undefined) return [`status ${String(status)} is not documented`];
	const shared = serviceDocument.components.responses[response.$ref?.split('/').at(-1) ?? ''];
	const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
	const media = (response.content ?? shared?.content ?? {})[type];
	if (media === undefined) return [`content type ${type} is not documented`];
	return media.schema === undefined ? [] : problemsOf(json, media.schema, 'json');
}

type Key = string | null;

/**
 * Sends a request and returns the response. Checks that the response matches the OpenAPI document, except if no
 * operation has this path or if a fault is active.
 */
async function call(
	{ apiUrl, requests, faults }: Sandbox,
	path: string,
	key: Key,
	init: RequestInit,
) {
	const type = { 'content-type': 'application/json' };
	const headers = key === null ? type : { ...type, 'access-token': key };
	const response = await fetch(apiUrl + path, { ...init, headers, redirect: 'manual' });
	const json: unknown = await response.json();
	const operation = requests.all().at(-1)?.operation ?? null;
	if (operation !== null && faults.all().length === 0) {
		expect(responseProblems(operation, response, json), `${operation} ${path}`).toEqual([]);
	}
	return { status: response.status, json };
}

/** Sends a GET request. `key` is the API key, or null for none. */
export async function get(sandbox: Sandbox, path: string, key: Key = sandbox.keys.north) {
	return await call(sandbox, path, key, {});
}

/** Sends a create request. `key` is the API key, or null for none. If `sent` is text, it's the body as it is. */
export async function post(sandbox: Sandbox, sent: unknown, key: Key = sandbox.keys.north) {
	const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
	return await call(sandbox, '/v1/inspections', key, { method: 'POST', body });
}

/** Adds an inspection with a file. `path` in the result is the path that returns the file's URL. */
export function withFile({ store }: Sandbox, file: FileSpec, more: Partial<InspectionSpec> = {}) {
	const { id, files } = store.addInspection({ template: 'SITE-SAFETY', files: [file], ...more });
	const fileId = String(files[0]?.id);
	return { id, fileId, path: urlPath(id, fileId) };
}
export const urlPath = (id: string, fileId: string) => `/v1/inspections/${id}/files/${fileId}/url`;

/** Returns the value at a path such as `a.b.0.c` in a JSON value, or undefined if there is none. */
export const at = (value: unknown, path: string): unknown =>
	path.split('.').reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), value);

/** Returns the elements of the array at a path, or an empty array if there is no array. */
export function list(value: unknown, path: string): unknown[] {
	const found = path === '' ? value : at(value, path);
	return Array.isArray(found) ? found : [];
}

export const pluck = (value: unknown, path: string, member: string): unknown[] =>
	list(value, path).map((element) => at(element, member));
