/** Functions that read values from requests leniently: a value of the wrong type counts as missing. */

export const isGiven = (value: unknown): boolean =>
	value !== undefined && value !== null && value !== '';

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value if it's an object, else an empty object. */
export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns any value as text. Doesn't use `String`, which fails for an object like `{"toString": 1}`. */
export const shownValue = (value: unknown): string =>
	typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
