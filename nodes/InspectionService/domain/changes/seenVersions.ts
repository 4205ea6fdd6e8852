import { isRecord, type JsonRecord, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import type { SortBy } from '../list/inspectionQuery';
import { HASH_LENGTH, shortHash } from '../shortHash';
import { compareTimestamps, floorToSecond, type Timestamp, timestampOf } from '../timestamp';

const SECOND_LENGTH = '2023-04-05T20:41:42'.length;

/**
 * Returns a hash that identifies a version among all versions with the same timestamp. With `updated_at`, the hash
 * includes the status, because two changes can have the same time if the service stores only whole seconds. With
 * `created_at`, it's a hash of only the ID, because later changes to the inspection don't matter.
 */
export function versionHash(inspection: InspectionRecord, sortBy: SortBy): string {
	const { id, status } = inspection;
	return shortHash(sortBy === 'created_at' ? id : `${id} ${textOf(status) ?? ''}`);
}

export function splitHashes(text: string): string[] {
	const hashes: string[] = [];
	for (let start = 0; start + HASH_LENGTH <= text.length; start += HASH_LENGTH) {
		hashes.push(text.slice(start, start + HASH_LENGTH));
	}
	return hashes;
}

/**
 * The versions that a trigger has handled and can receive again, by exact timestamp and hash. Serialized, two versions
 * at 10:00:30.5 and one version at 10:00:30.75 are `{"2026-03-01T10:00:30": ".5Z:<hash><hash> .75Z:<hash>"}`.
 */
export class SeenVersions {
	private readonly hashes = new Map<Timestamp, Set<string>>();

	/** Parses the result of `serialize`. Skips parts that it can't read. */
	static parse(value: unknown): SeenVersions {
		const seen = new SeenVersions();
		for (const [second, text] of Object.entries(isRecord(value) ? value : {})) {
			for (const group of (textOf(text) ?? '').split(' ')) {
				const [rest = '', hashes = ''] = group.split(':');
				const stamp = timestampOf(second + rest);
				if (stamp === undefined || hashes === '' || hashes.length % HASH_LENGTH !== 0) continue;
				seen.hashes.set(stamp, new Set(splitHashes(hashes)));
			}
		}
		return seen;
	}

	countWithin(second: Timestamp): number {
		const within = [...this.hashes].filter(([stamp]) => floorToSecond(stamp) === second);
		return within.reduce((sum, [, { size }]) => sum + size, 0);
	}

	has(stamp: Timestamp, hash: string): boolean {
		return this.hashes.get(stamp)?.has(hash) ?? false;
	}

	add(stamp: Timestamp, hash: string): void {
		const hashes = this.hashes.get(stamp) ?? new Set();
		this.hashes.set(stamp, hashes.add(hash));
	}

	forgetBefore(watermark: Timestamp): void {
		for (const stamp of this.hashes.keys()) {
			if (compareTimestamps(stamp, watermark) < 0) this.hashes.delete(stamp);
		}
	}

	/**
	 * Forgets all versions of the earliest timestamps, until at most `most` versions remain. Returns the latest timestamp
	 * that was forgotten.
	 */
	forgetEarliest(most: number): Timestamp | undefined {
		const sorted = this.sorted();
		let tooMany = sorted.reduce((sum, [, { size }]) => sum + size, -most);
		let forgotten: Timestamp | undefined;
		for (const [stamp, { size }] of sorted) {
			if (tooMany <= 0) break;
			tooMany -= size;
			this.hashes.delete(stamp);
			forgotten = stamp;
		}
		return forgotten;
	}

	/** Returns the versions as JSON. The order in which they were added makes no difference. */
	serialize(): JsonRecord {
		const seconds: Record<string, string> = {};
		for (const [stamp, hashes] of this.sorted()) {
			const second = stamp.slice(0, SECOND_LENGTH);
			const group = `${stamp.slice(SECOND_LENGTH)}:${[...hashes].join('')}`;
			seconds[second] = seconds[second] === undefined ? group : `${seconds[second]} ${group}`;
		}
		return seconds;
	}

	private sorted(): [Timestamp, Set<string>][] {
		return [...this.hashes].sort(([a], [b]) => compareTimestamps(a, b));
	}
}
