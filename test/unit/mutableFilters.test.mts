import { describe, expect, it } from 'vitest';

import type { InspectionFilter } from '#connector/domain/list/inspectionQuery.ts';
import {
	hasMutableFilters,
	passesMutableFilters,
	withoutMutableFilters,
} from '#connector/domain/list/mutableFilters.ts';
import { at } from './times.mts';

const FIXED = { createdAfter: at(0), createdBefore: at(9) };
const CHANGED = { id: 'a', status: 'In_Progress', updated_at: at(5.5) };

describe('the filters whose outcome an update changes, status and time of update', () => {
	it.each<[InspectionFilter, boolean]>([
		[{ status: ['completed'] }, true],
		[{ updatedAfter: at(1) }, true],
		[{ updatedBefore: at(1) }, true],
		[{ status: [] }, false],
		[{}, false],
	])('%j with them: %s; they can be taken off', (filter, has) => {
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
	])('an inspection passes %j: %s', (filter, passes) => {
		expect(passesMutableFilters(CHANGED, filter)).toBe(passes);
	});

	it('are not passed by an inspection that does not say what they ask for', () => {
		expect(passesMutableFilters({ id: 'a' }, { status: ['new'] })).toBe(false);
		expect(passesMutableFilters({ id: 'a' }, { updatedBefore: at(1) })).toBe(false);
	});
});
