import { setTimeout as wait } from 'node:timers/promises';

/**
 * A scenario that takes longer hangs. The slowest is a create with an unknown outcome, which searches for its key for
 * 31 s.
 */
const HANG_MS = 60_000;

/** Words of JavaScript's own errors, and of values that were stringified without a check. */
const RAW =
	/is not a function|is not iterable|Cannot (read|convert|set|destructure|access|mix)|Maximum call stack|Invalid (array length|time value|count value|string length|code point|date)|is not defined|is not valid JSON|Unexpected token|circular structure|Reduce of empty|is not an object|called on|Converting|out of range|\[object \w+\]|\bundefined\b|\bNaN\b/;
const RAW_CLASSES = /^(TypeError|RangeError|SyntaxError|ReferenceError|URIError|EvalError)$/;
const NODE_ERRORS = /^(NodeApiError|NodeOperationError)$/;
/** What must not appear in an error's message or description, or in a hint. */
const UNFIT = {
	'raw words': RAW,
	markup: /<(?!\/?(ul|li)>)[a-z/!]/i,
	'control characters': /\p{Cc}/u,
};
/** Maximum length of a message in characters, which fits one error panel. */
const MAX_MESSAGE = 2_100;

/** The outcome of a scenario. */
export type Judged = { value: unknown } | { error: unknown } | { hang: true };

/** Runs a scenario for at most HANG_MS. */
export async function judgedOf(run: () => Promise<unknown>): Promise<Judged> {
	const work = run().then(
		(value): Judged => ({ value }),
		(error: unknown): Judged => ({ error }),
	);
	return await Promise.race([work, wait(HANG_MS, { hang: true } as const, { ref: false })]);
}

/** The fault of an outcome, or undefined for a clear error or a sane result. */
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

/** n8n stores every result as JSON. */
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
