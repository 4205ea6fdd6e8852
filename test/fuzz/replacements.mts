/** How many levels a deep value has. A recursive function would overflow Node's default stack at about that depth. */
const TOO_DEEP = 10_000;
/** A value with which another value is replaced. */
export interface Replacement {
	name: string;
	/** The value as JSON text. JSON.stringify couldn't convert a value that is nested too deep. */
	json: string;
}

const valueOf = (name: string, value: unknown): Replacement => {
	return { name, json: JSON.stringify(value) };
};

export const REPLACEMENTS: readonly Replacement[] = [
	valueOf('null', null),
	valueOf('true', true),
	valueOf('0', 0),
	valueOf('-1', -1),
	valueOf('2^53', 2 ** 53),
	valueOf('1e308', 1e308),
	valueOf('empty text', ''),
	valueOf('long text', 'x'.repeat(20_000)),
	valueOf('control characters', 'a\u0000b\u001b[31mc\u200b\nd'),
	valueOf('markup', '<img src=x onerror=alert(1)>&amp;</div>'),
	valueOf('__proto__', '__proto__'),
	valueOf('empty list', []),
	valueOf('list of null', [null, [], {}]),
	valueOf('empty object', {}),
	valueOf('no text', { toString: null, valueOf: null, toJSON: 1 }),
	valueOf('list of no text', [{ toString: null }]),
	valueOf('last moment', '9999-12-31T23:59:59-05:00'),
	valueOf('list in text', '[{"a":1}]'),
	{ name: 'own prototype', json: '{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}' },
	{ name: 'nested deep', json: `${'[{"a":'.repeat(TOO_DEEP)}1${'}]'.repeat(TOO_DEEP)}` },
];
