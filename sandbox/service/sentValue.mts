/** Values of a request as they are read: what has another form than it should have counts as not given. */

export const isGiven = (value: unknown): boolean =>
	value !== undefined && value !== null && value !== '';

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any value as an object, an empty one where it is none. */
export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Any value as a text. An object of a request may have a member `toString`, which `String` would call. */
export const shownValue = (value: unknown): string =>
	typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
