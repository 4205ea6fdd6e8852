import { globSync } from 'node:fs';

import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { projectFile } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

interface Workflow {
	on: Record<string, unknown>;
	jobs: Record<string, { name?: string }>;
}

// GitHub waits forever for a required check that no job of a pull request reports.
it('docs/dev/releasing.md requires the checks that every pull request runs', () => {
	const page = projectFile('docs/dev/releasing.md').replace(/\s+/g, ' ');
	const [, sentence = ''] = /Require the checks ([^.]+?), and that/.exec(page) ?? [];
	const required = [...sentence.matchAll(/`([^`]+)`/g)].map(([, check]) => check);
	const workflows = globSync('.github/workflows/*.yml', { cwd: PROJECT }).map(
		(file): Workflow => parse(projectFile(file)),
	);
	const ofPullRequests = workflows
		.filter(({ on }) => 'pull_request' in on)
		.flatMap(({ jobs }) => Object.entries(jobs).map(([id, { name = id }]) => name));
	expect(required.toSorted()).toEqual(ofPullRequests.toSorted());
});
