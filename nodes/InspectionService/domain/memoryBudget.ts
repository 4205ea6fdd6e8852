import { InputError } from './inputError';
import { isObject } from './json';

/*
 * What V8 needs for the values of JSON, in bytes. Measured with Node 24 (`test/long/memoryEstimate.test.mts`), and rounded
 * up, so that the estimate is never too low.
 */
const SLOT = 8;
const ARRAY = 48;
const OBJECT = 56;
/** A text of one byte per character, in addition to its characters. */
const TEXT = 24;
/** A number that isn't a small integer. */
const NUMBER = 16;
/** An object with other names than the objects before it: its hidden class, for each name, and the name itself. */
const NEW_NAME = 112;
/** An entry in the set of known names. */
const SET_ENTRY = 48;
/** The values of names that are numbers: the header of their array, that of their hash table, and its entries. */
const [INDEXED, INDEX_TABLE, INDEX_ENTRY] = [16, 64, 24];
/** V8 stores numbers as names in an array, unless a hash table would have at most a ninth of its length. */
const TABLE_FACTOR = 9;
/** Above this number of names, V8 stores an object as a hash table, which needs more memory for each name. */
const MAX_FAST_NAMES = 100;
const HASHED_NAME = 72;

const INDEX_NAME = /^(?:0|[1-9]\d{0,9})$/;
const MAX_INDEX = 2 ** 32 - 2;
const TWO_BYTE = /[^\0-\xff]/;
const MAX_SMALL_INTEGER = 2 ** 30;

/** The default limit, in bytes. By default, Node has 2 GB, and n8n makes its own copies. */
const MAX_COLLECTED = 1024 * 1024 * 1024;

export class MemoryBudget {
	private readonly maxBytes: number;
	private readonly tooMuch: string;
	private bytes = 0;
	/** The names of each kind of object so far. V8 stores the names of a kind once. */
	private readonly kinds = new Set<string>();

	constructor(tooMuch: string, maxBytes = MAX_COLLECTED) {
		this.tooMuch = tooMuch;
		this.maxBytes = maxBytes;
	}

	/** Adds a value and returns its size in bytes. Throws InputError if all values together exceed the limit. */
	add(value: object): number {
		const bytes = this.tryAdd(value);
		if (bytes === undefined) throw new InputError(this.tooMuch);
		return bytes;
	}

	/**
	 * Adds a value and returns its size in bytes. If the value would exceed the limit, returns undefined and doesn't add
	 * it.
	 */
	tryAdd(value: object): number | undefined {
		const bytes = this.memoryOf(value);
		if (this.bytes + bytes > this.maxBytes) return undefined;
		this.bytes += bytes;
		return bytes;
	}

	/** Subtracts the size of a value that was removed. */
	free(bytes: number): void {
		this.bytes -= bytes;
	}

	/**
	 * Estimates the memory that a value needs: one to four times the real number of bytes. The length of the JSON would be
	 * misleading, because three bytes (`{},`) need 64 bytes of memory.
	 */
	private memoryOf(value: unknown): number {
		if (typeof value === 'string') return TEXT + bytesOf(value);
		if (typeof value === 'number') return isSmallInteger(value) ? 0 : NUMBER;
		if (!isObject(value)) return 0;
		let bytes = 0;
		if (Array.isArray(value)) {
			const members: readonly unknown[] = value;
			for (const member of members) bytes += SLOT + this.memoryOf(member);
			return ARRAY + bytes;
		}
		const names = Object.keys(value);
		for (const name of names) bytes += this.memoryOf(value[name]);
		return OBJECT + bytes + this.memoryOfNames(names);
	}

	private memoryOfNames(all: readonly string[]): number {
		const names = all.filter((name) => !isIndex(name));
		const indexes = all.length - names.length;
		let bytes = names.length * (names.length > MAX_FAST_NAMES ? HASHED_NAME : SLOT);
		// `Object.keys` returns numbers first, in ascending order.
		if (indexes > 0) bytes += memoryOfIndexes(indexes, Number(all[indexes - 1]));
		const kind = names.join('\n');
		if (names.length === 0 || this.kinds.has(kind)) return bytes;
		this.kinds.add(kind);
		for (const name of names) bytes += NEW_NAME + bytesOf(name);
		return bytes + SET_ENTRY + bytesOf(kind);
	}
}

/** Estimates the memory of numbers as names, as V8's parser of JSON chooses it. `largest` is the largest number. */
function memoryOfIndexes(count: number, largest: number): number {
	const capacity = Math.max(4, 2 ** Math.ceil(Math.log2(count * 1.5)));
	if (capacity * TABLE_FACTOR <= largest + 1) return INDEX_TABLE + capacity * INDEX_ENTRY;
	return INDEXED + SLOT * (largest + 1);
}

function isIndex(name: string): boolean {
	return INDEX_NAME.test(name) && Number(name) <= MAX_INDEX;
}

function bytesOf(text: string): number {
	return TWO_BYTE.test(text) ? 2 * text.length : text.length;
}

function isSmallInteger(number: number): boolean {
	return Number.isInteger(number) && Math.abs(number) < MAX_SMALL_INTEGER;
}
