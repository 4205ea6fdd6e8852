// Takes the indentation out of what was built: 4 % of the tarball. Lines and names stay, so that a stack trace reads as
// it did. Safe because no text of the sources runs over several lines: eslint.tooling.mjs sees to that.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));

for (const file of globSync('dist/**/*.js', { cwd: PROJECT })) {
	const path = join(PROJECT, file);
	writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/^[\t ]+/gm, ''));
}
