/** Lenient readers for request values: a value of the wrong type counts as missing. */

export const isGiven = (value: unknown): boolean =>
	value !== undefined && value !== null && value !== '';

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any value as an object, empty if it isn't one. */
export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Any value as text. A request's object can have a member `toString`, which `String` would call. */
export const shownValue = (value: unknown): string =>
	typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
