import { expect, it } from 'vitest';

import { missingParts } from '#connector/domain/list/inspectionPage.ts';

const WITH_DATA = { id: 'a', data: {}, files: null };
const WITH_FILES = { id: 'b', files: [] };

it.each([
	['answers and files that came', [WITH_DATA, WITH_FILES], ['data', 'files'], []],
	['answers that none has', [WITH_FILES, { id: 'c' }], ['data', 'files'], ['answers ("data")']],
	[
		'files that none has, null or left out',
		[WITH_DATA, { id: 'c' }],
		['files'],
		['files ("files")'],
	],
	['what was not asked for', [{ id: 'c' }], ['shared_with_users'], []],
	['an empty list', [], ['data', 'files'], []],
] as const)(
	'parts that were asked for and are missing are told: %s',
	(_, inspections, asked, told) => {
		const sentences = missingParts(inspections, [...asked]);
		expect(sentences).toEqual(
			told.map((part) => expect.stringContaining(`No inspection came with ${part}, although`)),
		);
	},
);
