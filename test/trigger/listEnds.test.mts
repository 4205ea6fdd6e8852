// @module-tag slow
/** Checks that the trigger finds every change, whatever the service does at the end of a list. */
import { expect, test } from 'vitest';

import { text } from '#harness/controls.mts';
import { oneNodeWorkflow, pollContext } from '#harness/inspectionNodes.mts';
import { listEnds } from '#harness/listEnds.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({ name: 'Door', controls: [text('Door', 'door')] });

/** How many polls a test runs, which is more than emitting 150 inspections needs. */
const MAX_POLLS = 10;

async function startTrigger(id: string) {
	const oneNode = await oneNodeWorkflow('inspectionServiceTrigger', {
		parameters: { event: 'updated', output: 'raw' },
		credential,
	});
	Object.assign(oneNode.workflow, { id });
	return async () => {
		sandbox.clock.advance(5_000);
		const items = (await oneNode.nodeType.poll?.call(pollContext(oneNode, 'trigger')))?.flat();
		return (items ?? []).map(({ json }) => String(json.id));
	};
}

test.each([...listEnds(100), { pageCap: 10, afterLastPage: 'repeated' as const }])(
	'emits each of 150 changes once from a service with %j',
	async (settings) => {
		Object.assign(sandbox.settings, settings);
		const poll = await startTrigger(JSON.stringify(settings));
		expect(await poll()).toEqual([]);
		const early = sandbox.store.addInspection({ template: template.id }).id;
		expect(await poll()).toEqual([early]);
		const ids = Array.from({ length: 150 }, () => {
			sandbox.clock.advance(100);
			return sandbox.store.addInspection({ template: template.id }).id;
		});
		const emitted: string[] = [];
		for (let polls = 0; polls < MAX_POLLS; polls++) emitted.push(...(await poll()));
		expect(emitted.toSorted()).toEqual(ids.toSorted());
	},
);
