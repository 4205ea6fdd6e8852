// `npm run n8n:newer`: which stable versions of n8n are newer than the latest that is tested, and whether they can be
// installed. A registry may list a version of n8n before it has all of n8n's own packages in the versions that it needs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import semver from 'semver';

import { PROJECT } from './setup.mjs';

/** Packages asked for at once. */
const AT_ONCE = 5;

/**
 * The stable versions that are newer than `tested`, the newest first.
 * @param {string[]} versions
 * @param {string} tested
 */
export function newerVersions(versions, tested) {
	return versions
		.filter((version) => semver.gt(version, tested) && semver.prerelease(version) === null)
		.sort(semver.rcompare);
}

/**
 * n8n's own packages among the dependencies of a version, as npm is asked for them: `n8n-workflow@2.41.0`.
 * @param {Record<string, string>} dependencies
 */
export function ownPackages(dependencies) {
	return Object.entries(dependencies)
		.filter(([name]) => name.startsWith('@n8n/') || name.startsWith('n8n-'))
		.map(([name, version]) => `${name}@${version}`);
}

/**
 * What there is to say about a version.
 * @param {string} version
 * @param {string[]} own n8n's own packages that it needs
 * @param {string[]} missing those of them that the registry does not have
 */
export function verdictOn(version, own, missing) {
	const count = `${missing.length} of its ${own.length} own packages`;
	return missing.length === 0
		? `n8n ${version}: the registry has all of its ${own.length} own packages`
		: `n8n ${version}: cannot be installed, the registry lacks ${count}: ${missing.join(', ')}`;
}

/** The answer of `npm view`; undefined for a version that the registry does not have. */
async function view(wanted, field) {
	const { stdout, failed } = await execa('npm', ['view', wanted, field, '--json'], {
		cwd: PROJECT,
		reject: false,
	});
	const answer = stdout.trim() === '' ? undefined : JSON.parse(stdout);
	if (!failed) return answer;
	if (answer?.error?.code === 'E404') return undefined;
	throw new Error(`npm view ${wanted}: ${answer?.error?.summary ?? 'failed'}`);
}

async function missingOf(packages) {
	const missing = [];
	for (let first = 0; first < packages.length; first += AT_ONCE) {
		const asked = packages.slice(first, first + AT_ONCE);
		const found = await Promise.all(asked.map((wanted) => view(wanted, 'version')));
		missing.push(...asked.filter((_, index) => found[index] === undefined));
	}
	return missing;
}

/** From the newest version down to the first that can be installed. */
async function main() {
	const { latest } = JSON.parse(
		readFileSync(join(PROJECT, 'sandbox', 'n8n', 'versions.json'), 'utf8'),
	);
	const newer = newerVersions(await view('n8n', 'versions'), latest);
	console.log(`Newer than n8n ${latest}: ${newer.join(', ') || 'nothing'}`);
	for (const version of newer) {
		const own = ownPackages(await view(`n8n@${version}`, 'dependencies'));
		const missing = await missingOf(own);
		console.log(verdictOn(version, own, missing));
		if (missing.length === 0) return;
	}
}

if (import.meta.main) await main();
