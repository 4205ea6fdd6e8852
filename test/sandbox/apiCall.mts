import type { Sandbox } from '#sandbox/service/sandbox.mts';

/** An answer of the sandbox, read whole. */
export interface Reply {
	status: number;
	headers: Headers;
	text: string;
	/** Undefined where the text is no JSON. */
	json: unknown;
}

async function call(
	{ apiUrl }: Sandbox,
	path: string,
	key: string | null,
	init: RequestInit,
): Promise<Reply> {
	const headers = {
		'content-type': 'application/json',
		...(key !== null && { 'access-token': key }),
	};
	const response = await fetch(apiUrl + path, { ...init, headers, redirect: 'manual' });
	const text = await response.text();
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch {
		json = undefined;
	}
	return { status: response.status, headers: response.headers, text, json };
}

/** GET with a key; null sends none. */
export const get = async (
	sandbox: Sandbox,
	path: string,
	key: string | null = sandbox.keys.north,
) => await call(sandbox, path, key, {});

/** A create with a key; null sends none. A body that is text goes out as it is. */
export async function post(
	sandbox: Sandbox,
	sent: unknown,
	key: string | null = sandbox.keys.north,
): Promise<Reply> {
	const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
	return await call(sandbox, '/v1/inspections', key, { method: 'POST', body });
}

/** What is at `a.b.0.c` of a JSON value; undefined where there is nothing. */
export function at(value: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>((inner, name) => {
		if (typeof inner !== 'object' || inner === null) return undefined;
		return Object.entries(inner).find(([key]) => key === name)?.[1];
	}, value);
}

/** The elements at a path; an empty list where there is no array. */
export function list(value: unknown, path: string): unknown[] {
	const found = path === '' ? value : at(value, path);
	return Array.isArray(found) ? found : [];
}

/** One member of every element at a path. */
export const pluck = (value: unknown, path: string, member: string): unknown[] =>
	list(value, path).map((element) => at(element, member));
