// @module-tag slow
import { join } from 'node:path';

import { execaNode } from 'execa';
import { expect, it } from 'vitest';

import { PROJECT } from '#scripts/projectPaths.mts';
import manifest from '../../package.json' with { type: 'json' };

/**
 * The maximum number of the package's files that n8n loads when it starts. Each file takes time, so raise this only for
 * a file with labels or descriptions that the editor displays.
 */
const MOST = 52;
/** Matches code that does a node's work. n8n should load it only when a node runs for the first time. */
const WORK =
	/\/(transport|domain\/(changes|file))\/|\/(itemLoop|inspection\/create|inspection\/get|getAll|poll)\.js$/;

const { credentials, nodes } = manifest.n8n;
const entries = [...credentials, ...nodes].map((file) => join(PROJECT, file));
// Creating a first date with Luxon takes as long as loading all these files. Formatting a first number in a language
// takes a quarter of that time. So the program makes both throw.
const PROGRAM = `
require('n8n-workflow');
Intl.DateTimeFormat = () => { throw new Error('a date was made'); };
Number.prototype.toLocaleString = () => { throw new Error('a number was written by the rules of a language'); };
for (const file of ${JSON.stringify(entries)}) for (const Class of Object.values(require(file))) new Class();
console.log(JSON.stringify(Object.keys(require.cache).filter((file) => !file.includes('node_modules'))));`;

it("n8n loads the nodes' descriptions on start, but not the code that does their work", async () => {
	const { stdout } = await execaNode('--input-type=commonjs', ['--eval', PROGRAM], {
		cwd: PROJECT,
	});
	const loaded: string[] = JSON.parse(stdout);
	expect(loaded).toEqual(expect.arrayContaining(entries));
	expect(loaded.filter((file) => WORK.test(file))).toEqual([]);
	expect(loaded.length, loaded.join('\n')).toBeLessThanOrEqual(MOST);
});
