/**
 * Checks n8n's rules for texts in the editor. n8n's linter only checks literal texts, but here functions create many
 * fields.
 */
import type { INodeProperties } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { MAX_EMITTED } from '#connector/domain/changes/checkpoint.ts';
import { builtNode } from '#harness/builtPackage.mts';

function membersOf(property: INodeProperties): INodeProperties[] {
	const members = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...members.flatMap(membersOf)];
}

it.each(['inspectionService', 'inspectionServiceTrigger'])(
	"the fields of %s follow n8n's rules for texts",
	(name) => {
		const { description } = builtNode(name);
		// n8n adds the field `pollTimes` to every polling trigger.
		const properties = description.properties.filter((one) => one.name !== 'pollTimes');
		for (const property of properties.flatMap(membersOf)) {
			const {
				displayName,
				type,
				description: text = '',
				placeholder = '',
				options = [],
			} = property;
			const sentences = text.split(/[.!?](?: |$)/).filter((sentence) => sentence !== '').length;
			if (type === 'boolean') expect.soft(text, displayName).toMatch(/^Whether /);
			if (sentences === 1) expect.soft(text, displayName).not.toMatch(/\.$/);
			if (sentences > 1) expect.soft(text, displayName).toMatch(/\.$/);
			if (type === 'string' && placeholder !== '') expect.soft(placeholder).toMatch(/^e\.g\. /);
			if (type === 'options' && options.length >= 5) {
				const names = options.map((option) => option.name);
				expect.soft(names).toEqual(names.toSorted());
			}
		}
	},
);

it('Once per Inspection mentions how many inspections it remembers', () => {
	const { description } = builtNode('inspectionServiceTrigger');
	const remembered = `remembers the last ${MAX_EMITTED.toLocaleString('en')} inspections.`;
	expect(JSON.stringify(description.properties)).toContain(remembered);
});
