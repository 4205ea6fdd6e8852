import { describe, expect, it } from 'vitest';

import type { InspectionFilter } from '#connector/domain/list/inspectionQuery.ts';
import {
	hasMutableFilters,
	passesMutableFilters,
	withoutMutableFilters,
} from '#connector/domain/list/mutableFilters.ts';
import { at } from '#harness/times.mts';

const FIXED = { createdAfter: at(0), createdBefore: at(9) };
const CHANGED = { id: 'a', status: 'In_Progress', updated_at: at(5.5) };

describe('filters whose outcome an update changes', () => {
	it.each<[InspectionFilter, boolean]>([
		[{ status: ['completed'] }, true],
		[{ updatedAfter: at(1) }, true],
		[{ updatedBefore: at(1) }, true],
		[{ status: [] }, false],
		[{}, false],
	])('are all removed from %j, which has one: %s', (filter, has) => {
		expect(hasMutableFilters({ ...FIXED, ...filter })).toBe(has);
		expect(withoutMutableFilters({ ...FIXED, ...filter })).toEqual(FIXED);
	});

	it.each<[InspectionFilter, boolean]>([
		[{}, true],
		[{ status: [] }, true],
		[{ status: ['new', 'in_progress'] }, true],
		[{ status: ['completed'] }, false],
		[{ updatedAfter: at(5.5), updatedBefore: at(5.5) }, true],
		[{ updatedAfter: at(5.6) }, false],
		[{ updatedBefore: at(5.4) }, false],
		[{ updatedAfter: at(5), updatedBefore: at(5.4) }, false],
		[{ createdAfter: at(900) }, true],
	])('match an inspection by %j: %s', (filter, passes) => {
		expect(passesMutableFilters(CHANGED, filter)).toBe(passes);
	});

	it('are compared with as many digits of a second as the service sends', () => {
		const sent = { id: 'a', updated_at: '2026-03-01T10:00:05Z' };
		expect(passesMutableFilters(sent, { updatedAfter: at(5.4) })).toBe(true);
		expect(passesMutableFilters(sent, { updatedAfter: at(6) })).toBe(false);
	});

	it("don't match an inspection that lacks the filtered member", () => {
		expect(passesMutableFilters({ id: 'a' }, { status: ['new'] })).toBe(false);
		expect(passesMutableFilters({ id: 'a' }, { updatedBefore: at(1) })).toBe(false);
	});
});
