// Takes out of what was built what only costs: the indentation, 4 % of the tarball, the modules that were types only,
// which nothing requires any more, and two of the compiler's habits. Names stay. Safe because no text of the sources
// runs over several lines: eslint.tooling.mjs sees to that.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
const EMPTY_MODULE =
	'"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\n';

function compact(code) {
	return (
		code
			.replaceAll(/^[\t ]+/gm, '')
			// `(0, module.name)(…)` keeps the module from being `this`, which no function here looks at.
			.replaceAll(/\(0, (\w+_\d+\.\w+)\)\(/g, '$1(')
			// Each name gets its value further down.
			.replaceAll(/^exports\.[\w. =]+ = void 0;\n/gm, '')
	);
}

for (const file of globSync('dist/**/*.js', { cwd: PROJECT })) {
	const path = join(PROJECT, file);
	const code = readFileSync(path, 'utf8');
	if (code === EMPTY_MODULE) rmSync(path);
	else writeFileSync(path, compact(code));
}
