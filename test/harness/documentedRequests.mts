import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { afterAll, afterEach, beforeEach, expect } from 'vitest';

import type { PublishedRequest } from './requestCheck.mts';

// If a request of the connector doesn't match docs/service.openapi.yaml, the test that sent the request fails. The
// sandbox publishes each request on a diagnostics channel. Tests in test/sandbox are exempt, because they send invalid
// requests on purpose.
const isOwnTest = expect.getState().testPath?.includes('/test/sandbox/') ?? false;

const requests: PublishedRequest[] = [];

if (!isOwnTest) {
	const collect = (message: unknown) => requests.push(Object(message));
	subscribe('inspection-sandbox:request', collect);
	afterAll(() => unsubscribe('inspection-sandbox:request', collect));
	beforeEach(() => void requests.splice(0));
	afterEach(async () => {
		if (requests.length === 0) return;
		// Loaded only if there are requests, because the schemas take time to load and most tests send none.
		const { requestProblems } = await import('./requestCheck.mts');
		const problems = requests.flatMap((request) =>
			requestProblems(request).map((problem) => `${request.operation} ${request.url}: ${problem}`),
		);
		expect(problems, 'requests that docs/service.openapi.yaml does not have').toEqual([]);
	});
}
