import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { uniqueFileNames } from '../../nodes/InspectionService/domain/file/uniqueFileNames.ts';

describe('names of files', () => {
	test.each([
		[
			['IMG_0001.jpg', 'IMG_0001.jpg', 'IMG_0001.jpg'],
			['IMG_0001.jpg', 'IMG_0001 (2).jpg', 'IMG_0001 (3).jpg'],
		],
		[
			['a.jpg', 'A.JPG'],
			['a.jpg', 'A (2).JPG'],
		],
		[
			['a.jpg', 'a.jpg', 'a (2).jpg'],
			['a.jpg', 'a (3).jpg', 'a (2).jpg'],
		],
		[
			['photo', 'photo', '.env', '.env'],
			['photo', 'photo (2)', '.env', '.env (2)'],
		],
		[
			['plan.tar.gz', 'plan.png'],
			['plan.tar.gz', 'plan.png'],
		],
		[
			['caf\u00e9.jpg', 'cafe\u0301.jpg'],
			['caf\u00e9.jpg', 'cafe\u0301 (2).jpg'],
		],
	])('%j become %j', (names, expected) => {
		expect(uniqueFileNames(names)).toEqual(expected);
	});

	const name = fc.oneof(
		fc.constantFrom(
			'a',
			'A',
			'a.b',
			'a (2)',
			'a (3)',
			'a (2).b',
			'a (2) (2)',
			'.a',
			'é',
			'e\u0301',
		),
		fc.string({ maxLength: 3 }),
	);

	it('are all different in every file system, and those that were different stay', () => {
		fc.assert(
			fc.property(fc.array(name), (names) => {
				const unique = uniqueFileNames(names);
				const compared = unique.map((one) => one.normalize('NFC').toLowerCase());
				expect(new Set(compared).size).toBe(names.length);
				const given = names.map((one) => one.normalize('NFC').toLowerCase());
				names.forEach((one, at) => {
					if (given.indexOf(given[at] ?? '') === at) expect(unique[at]).toBe(one);
				});
			}),
		);
	});
});
