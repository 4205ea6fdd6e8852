import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Removes a run's temporary files. The test's own process can't do that, because Vitest ends it with a signal. */
export default function temporaryFiles(): () => void {
	const folder = mkdtempSync(join(tmpdir(), 'inspection-tests-'));
	process.env.TMPDIR = folder;
	return () => rmSync(folder, { recursive: true, force: true });
}
