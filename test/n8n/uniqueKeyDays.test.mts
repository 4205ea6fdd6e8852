/** Create with the option Unique Key Days, beside inspections that have dates ahead of the service's clock. */
import { expect, test } from 'vitest';

import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [{ type: 'text', label: 'Area' }],
});

test('counts from the service’s clock, not from an inspection that is dated ahead of it', async () => {
	const create = async () =>
		await executeNode({
			credential,
			items: [{ Order: 'a', Area: 'North' }],
			parameters: createParameters(templateBy('WALK'), {
				options: { uniqueKey: '={{ $json.Order }}', uniqueKeyDays: 90 },
			}),
		});
	await create();
	const in200Days = new Date(sandbox.clock.date().getTime() + 200 * 86_400_000).toISOString();
	sandbox.store.addInspection({ template: template.id, createdAt: in200Days });
	const { items } = await create();
	expect(items.map(({ json }) => json.already_existed)).toEqual([true]);
	expect(sandbox.requests.count('createInspection')).toBe(1);
});
