import type { IBinaryData } from 'n8n-workflow';

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

/** Limits the files of one run, if n8n keeps them in memory (the default of n8n 1). Files on disk have no sum. */
export class FilesInMemory {
	private static readonly ofRuns = new WeakMap<Context, FilesInMemory>();
	private readonly context: Context;
	/** Undefined until n8n has stored something. */
	private isInMemory: boolean | undefined;
	private isAsked = false;
	private bytes = 0;

	private constructor(context: Context) {
		this.context = context;
	}

	static of(context: Context): FilesInMemory {
		const files = FilesInMemory.ofRuns.get(context) ?? new FilesInMemory(context);
		FilesInMemory.ofRuns.set(context, files);
		return files;
	}

	/** Counts bytes that arrived. A negative number drops bytes. Returns the error if there are too many. */
	count(bytes: number): InputError | undefined {
		this.bytes += bytes;
		if (this.bytes > UNKNOWN_BYTES && this.isInMemory === undefined) this.ask();
		const isTooLarge = this.isInMemory === true && this.bytes > MAX_MB * BYTES_PER_MB;
		return isTooLarge ? new InputError(TOO_LARGE) : undefined;
	}

	/** Looks where n8n stored a file whose bytes were counted. */
	stored({ id }: IBinaryData, bytes: number): void {
		this.isInMemory = id === undefined;
		if (!this.isInMemory) this.bytes -= bytes;
	}

	/** Stores one byte, because n8n doesn't tell otherwise where it keeps files. */
	private ask(): void {
		if (this.isAsked) return;
		this.isAsked = true;
		void this.context.helpers.prepareBinaryData(Buffer.alloc(1), 'size-check').then(
			(binary) => {
				this.stored(binary, 0);
			},
			() => undefined,
		);
	}
}
