import { expect, it } from 'vitest';

import { newerVersions, ownPackages, verdictOn } from '#scripts/newerN8n.mjs';

it('only stable versions that are newer than the tested one count, the newest first', () => {
	const versions = ['2.9.0', '2.41.1', '2.41.3', '2.100.0', '2.101.0-rc.1', '3.0.0', '1.123.81'];
	expect(newerVersions(versions, '2.41.1')).toEqual(['3.0.0', '2.100.0', '2.41.3']);
	expect(newerVersions(versions, '3.0.0')).toEqual([]);
});

it('of the dependencies of an n8n its own packages are asked for', () => {
	const dependencies = { '@n8n/di': '0.17.0', 'n8n-core': '2.41.2', n8nmigrate: '1.0.0', ws: '8' };
	expect(ownPackages(dependencies)).toEqual(['@n8n/di@0.17.0', 'n8n-core@2.41.2']);
});

it('a version with a package missing cannot be installed', () => {
	expect(verdictOn('2.41.3', ['n8n-core@2.41.2', 'n8n-workflow@2.41.0'], [])).toBe(
		'n8n 2.41.3: the registry has all of its 2 own packages',
	);
	expect(verdictOn('2.41.3', ['n8n-core@2.41.2', 'n8n-workflow@2.41.0'], ['n8n-core@2.41.2'])).toBe(
		'n8n 2.41.3: cannot be installed, the registry lacks 1 of its 2 own packages: n8n-core@2.41.2',
	);
});
