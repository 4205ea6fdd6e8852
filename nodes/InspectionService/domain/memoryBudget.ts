import { InputError } from './inputError';
import { isObject } from './json';

/** Bytes of an object or list, and of one of its members, measured with Node 24. */
const [HOLDER, MEMBER] = [56, 16];

/**
 * Characters of a long name. A shorter one is shared by all objects that have it, or isn't larger than what counts for
 * its member.
 */
const LONG_NAME = 32;

/** In bytes. By default, Node has 2 GB, and n8n makes its own copies. */
const MAX_COLLECTED = 1024 * 1024 * 1024;

export class MemoryBudget {
	private readonly maxBytes: number;
	private readonly tooMuch: string;
	private bytes = 0;

	constructor(tooMuch: string, maxBytes = MAX_COLLECTED) {
		this.tooMuch = tooMuch;
		this.maxBytes = maxBytes;
	}

	/** Counts a value and returns its size. Throws InputError if all values together are too large. */
	add(value: object): number {
		const bytes = memoryOf(value);
		this.bytes += bytes;
		if (this.bytes > this.maxBytes) throw new InputError(this.tooMuch);
		return bytes;
	}

	/** Counts a value and returns its size. If it's too large, returns undefined and doesn't count it. */
	tryAdd(value: object): number | undefined {
		const bytes = memoryOf(value);
		if (this.bytes + bytes > this.maxBytes) return undefined;
		this.bytes += bytes;
		return bytes;
	}

	/** Subtracts the size of a value that is no longer kept. */
	free(bytes: number): void {
		this.bytes -= bytes;
	}
}

/**
 * Estimates memory, at 0.35 to 2.5 times what Node uses. The size of the JSON would be misleading: three bytes (`{},`)
 * become 72.
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
