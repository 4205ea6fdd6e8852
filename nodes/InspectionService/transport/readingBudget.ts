/** In bytes: four of the largest responses, or ten pages of 100 inspections with 300 answers each. */
const MAX_READING = 256 * 1024 * 1024;

/** The bytes of a response that is being read. */
interface Reader {
	bytes: number;
}

/** The responses of the whole process, oldest first, and those among them that wait. */
const readers = new Set<Reader>();
let waiting: (() => void)[] = [];

/**
 * Reads a response within the budget that all responses of the process share, until `read` has made its value of it.
 * `read` calls `take` for bytes before it reads on. Where there are too many, that waits until another response has been
 * read. The oldest never waits, so that no two wait for each other.
 */
export async function withinBudget<Value>(
	read: (take: (bytes: number) => Promise<void>) => Promise<Value>,
	maxBytes = MAX_READING,
): Promise<Value> {
	const reader: Reader = { bytes: 0 };
	readers.add(reader);
	const take = async (bytes: number) => {
		reader.bytes += bytes;
		while (bytesUnderWay() > maxBytes && !isOldest(reader)) {
			await new Promise<void>((resolve) => waiting.push(resolve));
		}
	};
	try {
		return await read(take);
	} finally {
		readers.delete(reader);
		const woken = waiting;
		waiting = [];
		for (const wake of woken) wake();
	}
}

function bytesUnderWay(): number {
	let bytes = 0;
	for (const reader of readers) bytes += reader.bytes;
	return bytes;
}

function isOldest(reader: Reader): boolean {
	const [oldest] = readers;
	return oldest === reader;
}
