import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A run's temporary files go with it. A test's own process cannot see to that: Vitest ends it by a signal. */
export default function temporaryFiles(): () => void {
	const folder = mkdtempSync(join(tmpdir(), 'inspection-tests-'));
	process.env.TMPDIR = folder;
	return () => rmSync(folder, { recursive: true, force: true });
}
