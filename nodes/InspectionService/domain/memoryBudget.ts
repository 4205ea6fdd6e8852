import { InputError } from './inputError';
import { isObject } from './json';

/** Measured with Node 24, in bytes: an object or list, and one of its members. */
const [HOLDER, MEMBER] = [56, 16];

/** Characters of a name. A shorter one is shared by all objects that have it, or as small as what counts for its member. */
const LONG_NAME = 32;

/** In bytes. By default Node has 2 GB, and n8n makes its own copies. */
const MAX_COLLECTED = 1024 * 1024 * 1024;

export class MemoryBudget {
	private readonly maxBytes: number;
	private readonly tooMuch: string;
	private bytes = 0;

	constructor(tooMuch: string, maxBytes = MAX_COLLECTED) {
		this.tooMuch = tooMuch;
		this.maxBytes = maxBytes;
	}

	/** Counts a value, and gives its size. Throws InputError where all values together are too large. */
	add(value: object): number {
		const bytes = memoryOf(value);
		this.bytes += bytes;
		if (this.bytes > this.maxBytes) throw new InputError(this.tooMuch);
		return bytes;
	}

	/** Counts a value, and returns its size. Returns undefined, and doesn't count it, if it's too large. */
	tryAdd(value: object): number | undefined {
		const bytes = memoryOf(value);
		if (this.bytes + bytes > this.maxBytes) return undefined;
		this.bytes += bytes;
		return bytes;
	}

	/** Subtracts the size of a value that isn't kept any longer. */
	free(bytes: number): void {
		this.bytes -= bytes;
	}
}

/** Between 0.35 and 2.5 times what Node takes. Bytes of JSON are no measure: three of them (`{},`) become 72. */
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
