import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { afterAll, afterEach, beforeEach, expect } from 'vitest';

import type { ToldRequest } from './requestCheck.mts';

// The connector's requests must match docs/service.openapi.yaml. A deviation fails the test that sent it. The sandbox
// publishes every request on this channel. The sandbox's own tests send invalid requests on purpose.
const isOwnTest = expect.getState().testPath?.includes('/test/sandbox/') ?? false;

const requests: ToldRequest[] = [];

if (!isOwnTest) {
	const collect = (message: unknown) => requests.push(Object(message));
	subscribe('inspection-sandbox:request', collect);
	afterAll(() => unsubscribe('inspection-sandbox:request', collect));
	beforeEach(() => void requests.splice(0));
	afterEach(async () => {
		if (requests.length === 0) return;
		// Most tests send no request, and the schemas take time to load.
		const { requestProblems } = await import('./requestCheck.mts');
		const problems = requests.flatMap((request) =>
			requestProblems(request).map((problem) => `${request.operation} ${request.url}: ${problem}`),
		);
		expect(problems, 'requests that docs/service.openapi.yaml does not have').toEqual([]);
	});
}
