import { subscribe } from 'node:diagnostics_channel';

import { afterEach, beforeEach, expect } from 'vitest';

// The requests that the connector makes must fit docs/service.openapi.yaml: what departs from it fails the test that made
// it. The sandbox tells of every request on this channel. Its own tests ask for wrong things on purpose.
const isOwnTest = expect.getState().testPath?.includes('/test/sandbox/') ?? false;

let problems: string[] = [];

function note(message: unknown): void {
	const { operation, url, problems: found } = Object(message);
	for (const problem of found) problems.push(`${operation} ${url}: ${problem}`);
}

if (!isOwnTest) {
	subscribe('inspection-sandbox:request', note);
	beforeEach(() => {
		problems = [];
	});
	afterEach(() => {
		expect(problems, 'requests that docs/service.openapi.yaml does not have').toEqual([]);
	});
}
