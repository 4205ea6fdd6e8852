import { createHash } from 'node:crypto';

/**
 * Returns a GUID derived from a name. The same name always yields the same GUID, so that every run has the same IDs.
 */
export function guidOf(name: string): string {
	const digits = createHash('sha256').update(name).digest('hex');
	return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

const GUID = /^\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i;

/**
 * Parses a GUID, with or without braces and dashes. Returns its usual lowercase form, or null if the text isn't a GUID.
 */
export function parseGuid(text: string): string | null {
	const match = GUID.exec(text.trim());
	return match === null ? null : match.slice(1).join('-').toLowerCase();
}

/**
 * Returns a 32-bit hash of text (FNV-1a with additional mixing), for choices that look random but are the same in every
 * run.
 */
export function scatter(text: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	hash ^= hash >>> 15;
	hash = Math.imul(hash, 0x2c1b3c6d);
	return (hash ^ (hash >>> 13)) >>> 0;
}
