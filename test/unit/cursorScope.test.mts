import { expect, test } from 'vitest';

import {
	commonScope,
	isInScope,
	type CursorScope,
} from '../../nodes/InspectionService/domain/cursor/cursorScope.ts';

const scope = (teamId: string | undefined, ...status: CursorScope['status']): CursorScope => ({
	teamId,
	status,
});

test.each([
	[scope(undefined), scope('a', 'new'), scope('a', 'new')],
	[scope('a'), scope('b'), undefined],
	[scope('a', 'new', 'completed'), scope('a', 'completed', 'canceled'), scope('a', 'completed')],
	[scope('a', 'new'), scope('a', 'completed'), undefined],
])('%j and %j have %j in common', (a, b, common) => {
	expect(commonScope(a, b)).toEqual(common);
	expect(commonScope(b, a)).toEqual(common);
});

test('an inspection tells its status and, in any of the shapes seen, its team', () => {
	const teams = [{ team: { id: 'A' } }, { team: 'a' }, { team_id: 'a' }];
	for (const team of teams)
		expect(isInScope({ status: 'New', ...team }, scope('a', 'new'))).toBe(true);
	expect(isInScope({ status: 'new', team: { id: 'b' } }, scope('a', 'new'))).toBe(false);
	expect(isInScope({ status: 'completed', team: 'a' }, scope('a', 'new'))).toBe(false);
	expect(isInScope({ status: 'new' }, scope('a'))).toBe(false);
	expect(isInScope({}, scope(undefined))).toBe(true);
});
