import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What a run leaves among the system's temporary files goes with it. A test's own process cannot see to that: Vitest ends
 * it by a signal.
 */
export default function temporaryFiles(): () => void {
	const folder = mkdtempSync(join(tmpdir(), 'inspection-tests-'));
	process.env.TMPDIR = folder;
	return () => {
		rmSync(folder, { recursive: true, force: true });
	};
}
