import { InputError } from '../domain/inputError';
import type { OutputContext } from './binaryFiles';

type Context = OutputContext['context'];

const BYTES_PER_MB = 1024 * 1024;
/**
 * Maximum size of a run's files in n8n's memory. n8n keeps them there as base64 (500 MB), and saves a run as one text. A
 * text of V8 has at most 512 MB.
 */
const MAX_MB = 375;
/** From this many bytes on, it matters where n8n keeps files. The value is arbitrary. */
const UNKNOWN_BYTES = 64 * BYTES_PER_MB;

const TOO_LARGE = `The files of this run have more than ${String(MAX_MB)} MB, and n8n keeps them in its memory. Ask the n8n administrator to store files on disk (N8N_DEFAULT_BINARY_DATA_MODE=filesystem), or download fewer files in one run.`;

/** The files of each run, and whether n8n keeps them in its memory. */
const RUNS = new WeakMap<Context, { bytes: number; isAsked: boolean; isInMemory: boolean }>();

/**
 * Counts bytes of a run's files that arrived. A negative number drops bytes. Returns the error if there are too many for
 * n8n's memory, where n8n 1 keeps them by default. Files on disk have no common limit.
 */
export function countFileBytes(context: Context, bytes: number): InputError | undefined {
	const run = RUNS.get(context) ?? { bytes: 0, isAsked: false, isInMemory: false };
	RUNS.set(context, run);
	run.bytes += bytes;
	if (run.bytes > UNKNOWN_BYTES && !run.isAsked) {
		run.isAsked = true;
		// Store one byte, because n8n doesn't tell otherwise where it keeps files.
		void context.helpers.prepareBinaryData(Buffer.alloc(1), 'size-check').then(
			({ id }) => (run.isInMemory = id === undefined),
			() => undefined,
		);
	}
	const isTooLarge = run.isInMemory && run.bytes > MAX_MB * BYTES_PER_MB;
	return isTooLarge ? new InputError(TOO_LARGE) : undefined;
}
