import { createHash } from 'crypto';

/**
 * Characters of a hash: 60 bits. If 10,000 inspections change at the same instant, a new inspection has the hash of one
 * of them with a probability of 10^-14.
 */
export const HASH_LENGTH = 10;

/** Returns a short hash of text, such as the ID of an inspection. The hash needs a third of the space of a GUID. */
export function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}
