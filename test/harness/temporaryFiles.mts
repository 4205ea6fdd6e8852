import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A global setup of Vitest that removes the temporary files after a run. The processes of tests can't do that, because
 * Vitest ends them with a signal.
 */
export default function temporaryFiles(): () => void {
	const folder = mkdtempSync(join(tmpdir(), 'inspection-tests-'));
	process.env.TMPDIR = folder;
	return () => rmSync(folder, { recursive: true, force: true });
}
