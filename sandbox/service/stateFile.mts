import { readFile, rename, writeFile } from 'node:fs/promises';

import { UsageError } from '../commandLine.mts';
import type { Store, StoreState } from './store.mts';

/** Changes when what is kept changes its form; a file of another version is refused. */
const VERSION = 2;

/** Milliseconds between a write and its save: a burst of creates is saved once. */
const SAVE_DELAY_MS = 200;

/** A state file that cannot be used; the message says which and why, in one line. */
class StateFileError extends UsageError {
	constructor(path: string, why: string) {
		super(`State file ${path} ${why}`);
	}
}

/** JSON has neither timestamps (bigint) nor maps: they are objects of one member. */
function write(_key: string, value: unknown): unknown {
	if (typeof value === 'bigint') return { $ticks: String(value) };
	return value instanceof Map ? { $map: [...value] } : value;
}

function read(_key: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if ('$ticks' in value) return BigInt(String(value.$ticks));
	return '$map' in value && Array.isArray(value.$map) ? new Map(value.$map) : value;
}

async function load(path: string): Promise<StoreState | null> {
	const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return null;
		throw new StateFileError(path, `cannot be read: ${String(error)}`);
	});
	if (text === null) return null;
	let saved: { version: number; state: StoreState } | null;
	try {
		saved = JSON.parse(text, read);
	} catch {
		throw new StateFileError(path, 'is not valid JSON: delete it to start anew');
	}
	if (saved?.version === VERSION) return saved.state;
	throw new StateFileError(path, 'was written by another version: delete it to start anew');
}

/** Keeps a store in a JSON file between runs: read at the start, written after changes and at the end. */
export class StateFile {
	private readonly path: string;
	private readonly store: Store;
	private timer: NodeJS.Timeout | undefined;
	private saving: Promise<void> = Promise.resolve();

	private constructor(path: string, store: Store) {
		this.path = path;
		this.store = store;
	}

	/** Fills the store from the file where there is one, and follows its changes from then on. */
	static async open(path: string, store: Store): Promise<StateFile> {
		const state = await load(path);
		if (state !== null) store.restore(state);
		const file = new StateFile(path, store);
		store.onWrite = () => file.schedule();
		return file;
	}

	/** Writes what is not written yet. */
	async close(): Promise<void> {
		this.store.onWrite = () => undefined;
		clearTimeout(this.timer);
		await this.save();
	}

	private schedule(): void {
		this.timer ??= setTimeout(() => {
			this.timer = undefined;
			this.save().catch((error: unknown) => {
				console.error(new StateFileError(this.path, `cannot be written: ${String(error)}`).message);
			});
		}, SAVE_DELAY_MS).unref();
	}

	/** One save after the other, each through a second file, so that a killed sandbox leaves a whole one. */
	private async save(): Promise<void> {
		this.saving = this.saving
			.catch(() => undefined)
			.then(async () => {
				const text = JSON.stringify({ version: VERSION, state: this.store.dump() }, write);
				await writeFile(`${this.path}.new`, text);
				await rename(`${this.path}.new`, this.path);
			});
		await this.saving;
	}
}
