import { expect, it } from 'vitest';

import { projectFile } from '#harness/pages.mts';
import { isRecord } from '#sandbox/json.mts';

it("package-lock.json has a checksum for every package, including other platforms' packages", () => {
	const lockfile: unknown = JSON.parse(projectFile('package-lock.json'));
	const packages = isRecord(lockfile) && isRecord(lockfile.packages) ? lockfile.packages : {};
	const others = Object.entries(packages).filter(([path]) => path !== '');
	expect(others.length).toBeGreaterThan(500);
	const hasChecksum = (entry: unknown) => isRecord(entry) && typeof entry.integrity === 'string';
	expect(others.filter(([, entry]) => !hasChecksum(entry)).map(([path]) => path)).toEqual([]);
});
