import { describe, expect, it } from 'vitest';

import { sameNameAmong } from '#connector/domain/create/createdInspection.ts';

const of = (id: string, name: string, created_at?: string) => ({
	id,
	name,
	...(created_at === undefined ? {} : { created_at }),
	template: { id: `template of ${name}` },
});
const NEWEST_FIRST = [
	of('a', 'Roof', '2026-05-31T12:00:00Z'),
	of('b', 'Cellar', '2026-05-31T11:30:00Z'),
	of('c', 'Roof', '2026-05-31T11:00:00Z'),
	of('d', 'Roof', '2026-05-31T10:59:59.999Z'),
	of('e', 'Roof'),
];

function idsAmong(body: Record<string, string>, inspections = NEWEST_FIRST): string[] {
	return sameNameAmong(inspections, body).map(({ id }) => id);
}

describe('what a create in doubt may have made', () => {
	it('has its name and was created within the last hour, or at an unknown time', () => {
		expect(idsAmong({ name: 'Roof' })).toEqual(['a', 'c', 'e']);
		expect(idsAmong({ name: 'Attic' })).toEqual([]);
	});

	it('is of its template where the service makes the name up', () => {
		expect(idsAmong({ template_id: 'TEMPLATE of Cellar' })).toEqual(['b']);
		expect(idsAmong({ name: 'Roof', template_id: 'template of Cellar' })).toEqual(['a', 'c', 'e']);
		expect(idsAmong({})).toEqual([]);
	});

	it('is of any age where the newest has no time', () => {
		expect(idsAmong({ name: 'Roof' }, NEWEST_FIRST.toReversed())).toEqual(['e', 'd', 'c', 'a']);
		expect(idsAmong({ name: 'Roof' }, [])).toEqual([]);
	});
});
