import { describe, expect, it } from 'vitest';

import { GroupPass, pageSizeAfter } from '../../nodes/InspectionService/domain/list/groupPass.ts';
import { TieGroup } from '../../nodes/InspectionService/domain/list/tieGroup.ts';

const AT = '2026-03-01T08:00:00.000Z';

function group() {
	return new TieGroup({ sortBy: 'created_at', sortOrder: 'asc' }, {}, {}, 100);
}

/** Inspections numbered `from` to `to`, all of one time. */
function inspections(from: number, to: number) {
	return Array.from({ length: to - from + 1 }, (_, index) => ({
		id: `${from + index}`,
		created_at: AT,
	}));
}

/** Answers a pass with pages of the size asked for. */
function pass(ties: TieGroup, rows: readonly { id: string; created_at: string }[]): void {
	const { pageSize } = ties.query();
	for (let start = 0; start <= rows.length; start += pageSize) {
		ties.receive(rows.slice(start, start + pageSize));
	}
}

describe('inspections of equal time', () => {
	it('are complete after a second pass where nothing moved', () => {
		const ties = group();
		pass(ties, inspections(1, 150));
		expect(ties.isComplete).toBe(false);
		expect(ties.query()).toMatchObject({ page: 1, pageSize: 100 });
		pass(ties, inspections(1, 150));
		expect(ties.isComplete).toBe(true);
	});

	it('are not complete after one quiet pass in which a row came twice', () => {
		const ties = group();
		// 150 stays hidden behind 100, which comes twice; then 1 and 2 are gone, so no fewer are known than sent.
		pass(ties, [...inspections(1, 100), ...inspections(100, 149)]);
		pass(ties, [...inspections(3, 100), ...inspections(100, 149)]);
		expect(ties.isComplete).toBe(false);
		pass(ties, inspections(3, 150));
		expect(ties.isComplete).toBe(false);
		pass(ties, inspections(3, 150));
		expect(ties.isComplete).toBe(true);
	});

	it('are complete after two quiet passes, whatever came twice, when as many are known as were sent', () => {
		const ties = group();
		pass(ties, inspections(1, 152));
		pass(ties, [...inspections(3, 100), ...inspections(100, 152)]);
		expect(ties.isComplete).toBe(false);
		pass(ties, [...inspections(3, 100), ...inspections(100, 152)]);
		expect(ties.isComplete).toBe(true);
	});

	it('are not complete in any number of quiet passes while pages have more rows than are known', () => {
		const ties = group();
		const hiding = () => [...inspections(1, 100), ...inspections(100, 149)];
		expect(() => {
			for (let passes = 0; passes < 100 && !ties.isComplete; passes++) pass(ties, hiding());
		}).toThrow(/could not be read completely/);
		expect(ties.isComplete).toBe(false);
	});

	it('are asked for with another page size after each pass in which a row came twice', () => {
		const ties = group();
		const sizes = new Set<number>();
		for (let passes = 0; passes < 16; passes++) {
			sizes.add(ties.query().pageSize);
			if (passes < 15) pass(ties, [...inspections(1, 100), ...inspections(100, 149)]);
		}
		expect(sizes.size).toBe(16);
		expect(Math.max(...sizes)).toBe(100);
	});

	it('are not taken for endless where a small page has nothing new in a later pass', () => {
		const ties = group();
		pass(ties, [...inspections(1, 100), ...inspections(100, 149)]);
		const { pageSize } = ties.query();
		expect(pageSize).toBe(80);
		ties.receive(inspections(1, 80));
		ties.receive(inspections(1, 80));
		expect(ties.query()).toMatchObject({ page: 3, pageSize });
	});
});

describe('a pass over pages', () => {
	it('counts what came twice twice', () => {
		const counted = new GroupPass();
		expect(counted.count('a', true)).toBe(true);
		expect(counted.count('a', false)).toBe(false);
		expect(counted).toMatchObject({ rowCount: 2, isUnsteady: true, isQuiet: false });
	});

	it('never asks for pages of nothing', () => {
		for (let passes = 0; passes < 20; passes++) {
			expect(pageSizeAfter(passes, 1)).toBe(1);
			expect(pageSizeAfter(passes, 100)).toBeGreaterThanOrEqual(8);
		}
	});
});
