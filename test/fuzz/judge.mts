import { setTimeout as wait } from 'node:timers/promises';

/**
 * A scenario that takes longer than this counts as hanging. The slowest scenario takes 31 s: after a create request
 * with an unknown outcome, it searches the list for the unique key.
 */
const HANG_MS = 60_000;

/** Words from JavaScript's own error messages, and from values that were converted to text without a check. */
const RAW =
	/is not a function|is not iterable|Cannot (read|convert|set|destructure|access|mix)|Maximum call stack|Invalid (array length|time value|count value|string length|code point|date)|is not defined|is not valid JSON|Unexpected token|circular structure|Reduce of empty|is not an object|called on|Converting|out of range|\[object \w+\]|\bundefined\b|\bNaN\b/;
const RAW_CLASSES = /^(TypeError|RangeError|SyntaxError|ReferenceError|URIError|EvalError)$/;
const NODE_ERRORS = /^(NodeApiError|NodeOperationError)$/;
/** Patterns that messages, descriptions, and hints must not match. */
const UNFIT = {
	'raw words': RAW,
	markup: /<(?!\/?(ul|li)>)[a-z/!]/i,
	'control characters': /\p{Cc}/u,
};
/** The maximum length of a message in characters. This much fits into n8n's error panel. */
const MAX_MESSAGE = 2_100;

/** How a scenario ended. */
export type Judged = { value: unknown } | { error: unknown } | { hang: true };

/** Runs a scenario. After HANG_MS, stops waiting for its end. */
export async function judgedOf(run: () => Promise<unknown>): Promise<Judged> {
	const work = run().then(
		(value): Judged => ({ value }),
		(error: unknown): Judged => ({ error }),
	);
	return await Promise.race([work, wait(HANG_MS, { hang: true } as const, { ref: false })]);
}

/** Returns what is wrong with an outcome. Returns undefined for a clear error or a sane result. */
export function faultOf(outcome: Judged): string | undefined {
	if (namesOfPrototypes() !== OWN_NAMES) return 'a changed prototype';
	if ('hang' in outcome) return `hangs: no end after ${String(HANG_MS)} ms`;
	return 'error' in outcome ? faultOfError(outcome.error) : faultOfResult(outcome.value);
}

function faultOfError(error: unknown): string | undefined {
	if (!(error instanceof Error)) return `throws ${typeof error}`;
	if (!NODE_ERRORS.test(error.constructor.name))
		return `throws ${error.constructor.name}: ${error.message}`;
	const cause = rawCause(error);
	if (cause !== undefined) return `shows ${cause.constructor.name}: ${cause.message}`;
	const description = 'description' in error ? String(error.description ?? '') : '';
	const fault = faultOfText(error.message) ?? faultOfText(description);
	if (fault !== undefined) return fault;
	if (error.message.trim() === '') return 'an error without a message';
	return error.message.length > MAX_MESSAGE ? 'a message without an end' : undefined;
}

function faultOfText(text: string): string | undefined {
	const unfit = Object.entries(UNFIT).find(([, words]) => words.test(text));
	return unfit && `${unfit[0]}: ${JSON.stringify(text)}`;
}

function rawCause({ cause }: Error, depth = 5): Error | undefined {
	if (!(cause instanceof Error) || depth === 0) return undefined;
	return RAW_CLASSES.test(cause.constructor.name) ? cause : rawCause(cause, depth - 1);
}

/** Returns what is wrong with a result. n8n stores results as JSON, so converting one to JSON must work. */
function faultOfResult(value: unknown): string | undefined {
	try {
		const text = JSON.stringify(value) ?? '';
		if (text.includes('[object Object]')) return 'a result with "[object Object]"';
		const { hints = [] }: { hints?: { message?: unknown }[] } = Object(value);
		return hints.map(({ message }) => faultOfText(String(message))).find(Boolean);
	} catch (error) {
		return `a result that cannot be stored: ${String(error)}`;
	}
}

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const namesOfPrototypes = () => PROTOTYPES.flatMap(Reflect.ownKeys).map(String).join();
const OWN_NAMES = namesOfPrototypes();
