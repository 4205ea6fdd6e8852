import { expect, test } from 'vitest';

import { cursorFrom } from '../../nodes/InspectionService/domain/cursor/cursorScan.ts';
import { EVERYTHING } from '../../nodes/InspectionService/domain/cursor/cursorScope.ts';
import type { InspectionRecord } from '../../nodes/InspectionService/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '../../nodes/InspectionService/domain/list/inspectionQuery.ts';
import { timestampOf } from '../../nodes/InspectionService/domain/timestamp.ts';
import { runPollRound } from '../../nodes/InspectionService/trigger/pollRound.ts';
import { QUESTION } from './scanQuestion.mts';

const stampOf = (index: number) => `2026-03-01T10:00:30.${String(index).padStart(4, '0')}Z`;

test('outputs are in the order of time, also where a second look at a second brings an earlier one', async () => {
	const rows: InspectionRecord[] = [];
	for (let index = 1; index <= 150; index++)
		rows.push({ id: `i${index}`, updated_at: stampOf(index) });
	const list = (query: InspectionPageQuery): InspectionRecord[] => {
		// Becomes visible when the first page of the second was read already.
		if (query.page === 2 && rows.length === 150) rows.push({ id: 'late', updated_at: stampOf(0) });
		const sign = query.sortOrder === 'asc' ? 1 : -1;
		return [...rows]
			.sort((a, b) => (String(a.updated_at) < String(b.updated_at) ? -sign : sign))
			.slice((query.page - 1) * query.pageSize, query.page * query.pageSize);
	};
	const beginning = timestampOf('2020-01-01T00:00:00Z');
	const { outputs } = await runPollRound<string>({
		cursor: beginning && cursorFrom(beginning, EVERYTHING),
		question: QUESTION,
		list: async (query) => await Promise.resolve(list(query)),
		render: async (found) =>
			await Promise.resolve(found.map(({ updated_at }) => [String(updated_at)])),
		batch: 100,
		hasTimeLeft: () => true,
	});
	expect(outputs.length).toBe(151);
	expect(outputs).toEqual([...outputs].sort());
});
