/** Tests the option Fill Empty Cells From Above, which fills the cells that merged cells leave empty. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fillDown } from '#connector/domain/create/groupRows.ts';
import { problemOf } from '#harness/madeOfRows.mts';

describe('empty cells of the named columns', () => {
	it('get the value of the row above, whether or not the file has the empty cells', () => {
		const rows = [
			{ No: 1, Site: 'Gate', Room: 'A' },
			{ No: '', Site: null, Room: 'B' },
			{ Room: 'C' },
			{ No: 2, Site: ' ', Room: '' },
		];
		expect(fillDown(rows, ['No', 'site'])).toEqual([
			{ No: 1, Site: 'Gate', Room: 'A' },
			{ No: 1, Site: 'Gate', Room: 'B' },
			{ No: 1, Site: 'Gate', Room: 'C' },
			{ No: 2, Site: 'Gate', Room: '' },
		]);
	});

	it('stay empty if the row above has no reliable value', () => {
		const first = { No: '', Room: 'lost' };
		const [blank, unticked] = [{}, { row_number: 4, Done: false, No: '' }];
		const total = { No: '', Room: 'Razem', Costs: 12 };
		const below = { No: '', Room: 'B' };
		const rows = [first, { No: 1, Room: 'A' }, blank, unticked, total, below];
		expect(fillDown(rows, ['No'])).toEqual([...rows.slice(0, 5), { No: 1, Room: 'B' }]);
		const faulty = [{ No: 1 }, { No: 2, error: 'no' }, below];
		expect(fillDown(faulty, ['No'])).toEqual(faulty);
	});

	it('are filled if every row has a column "error", because then it belongs to the sheet', () => {
		const rows = [
			{ No: 1, error: 'E-12' },
			{ No: '', error: '', Room: 'B' },
		];
		expect(fillDown(rows, ['No'])).toEqual([rows[0], { No: 1, error: '', Room: 'B' }]);
		const failed = [
			{ No: 1, error: { message: 'no' } },
			{ No: '', error: '', Room: 'B' },
		];
		expect(fillDown(failed, ['No'])).toEqual(failed);
	});

	it('cause an error with the nearest name if no row has the column', () => {
		expect(problemOf(() => fillDown([{ Site: 'x' }], ['Sita']))).toBe(
			'Fill Empty Cells From Above: there is no column "Sita" (did you mean "Site"?).',
		);
	});
});

const cell = fc.constantFrom('', null, ' ', 'x', 'y', 7, 0, false);
const anyRows = fc.array(fc.record({ No: cell, Site: cell, Room: cell }), { minLength: 1 });

it('filling empty cells repeatedly changes only empty cells of the named columns', () => {
	fc.assert(
		fc.property(anyRows, (rows) => {
			const filled = fillDown(rows, ['No', 'Site']);
			expect(filled.map(({ Room }) => Room)).toEqual(rows.map(({ Room }) => Room));
			for (const [index, row] of rows.entries()) {
				if (typeof row.No === 'number' || row.No === 'x') expect(filled[index]?.No).toBe(row.No);
			}
			expect(fillDown(filled, ['Site', 'No'])).toEqual(filled);
		}),
	);
});
