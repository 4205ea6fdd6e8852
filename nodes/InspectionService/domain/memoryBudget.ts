import { InputError } from './inputError';
import { isObject } from './json';

/** The memory that an object or array needs, and that each of its members needs, in bytes. Measured with Node 24. */
const [HOLDER, MEMBER] = [56, 16];

/**
 * The size of keys up to this length isn't added. Node stores such a key once for all objects, or its size is part of
 * `MEMBER`.
 */
const LONG_NAME = 32;

/** The default limit, in bytes. By default, Node has 2 GB, and n8n makes its own copies. */
const MAX_COLLECTED = 1024 * 1024 * 1024;

export class MemoryBudget {
	private readonly maxBytes: number;
	private readonly tooMuch: string;
	private bytes = 0;

	constructor(tooMuch: string, maxBytes = MAX_COLLECTED) {
		this.tooMuch = tooMuch;
		this.maxBytes = maxBytes;
	}

	/** Adds a value and returns its size in bytes. Throws InputError if all values together exceed the limit. */
	add(value: object): number {
		const bytes = memoryOf(value);
		this.bytes += bytes;
		if (this.bytes > this.maxBytes) throw new InputError(this.tooMuch);
		return bytes;
	}

	/**
	 * Adds a value and returns its size in bytes. If the value would exceed the limit, returns undefined and doesn't add
	 * it.
	 */
	tryAdd(value: object): number | undefined {
		const bytes = memoryOf(value);
		if (this.bytes + bytes > this.maxBytes) return undefined;
		this.bytes += bytes;
		return bytes;
	}

	/** Subtracts the size of a value that was removed. */
	free(bytes: number): void {
		this.bytes -= bytes;
	}
}

/**
 * Estimates the memory that a value needs: 0.35 to 2.5 times the real number of bytes. The length of the JSON would be
 * misleading, because three bytes (`{},`) need 72 bytes of memory.
 */
function memoryOf(holder: object): number {
	let bytes = HOLDER;
	if (Array.isArray(holder)) {
		const members: readonly unknown[] = holder;
		for (const member of members) bytes += memoryOfMember(member);
		return bytes;
	}
	for (const name in holder) {
		if (name.length > LONG_NAME) bytes += name.length;
		bytes += memoryOfMember(Reflect.get(holder, name));
	}
	return bytes;
}

function memoryOfMember(member: unknown): number {
	if (typeof member === 'string') return MEMBER + member.length;
	return isObject(member) ? MEMBER + memoryOf(member) : MEMBER;
}
