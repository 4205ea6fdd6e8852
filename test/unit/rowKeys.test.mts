import { expect, test } from 'vitest';

import { isColumnKey, ownKeysOf } from '#connector/domain/rowKeys.ts';

test('the keys of a create are reserved only in an output of Create', () => {
	const created = { already_existed: false, unstored_responses: '', group: 'A', Site: 'x' };
	const ownOf = (item: object) => {
		const own = ownKeysOf([{ ...item }]);
		return ['id', 'group', 'task_id', 'Site'].filter((key) => own.has(key));
	};
	expect(ownOf(created)).toEqual(['id', 'group', 'task_id']);
	expect(ownOf({ ...created, unstored_responses: undefined })).toEqual(['id', 'group', 'task_id']);
	expect(ownOf({ unstored_responses: '', group: 'A' })).toEqual(['id']);
	expect(ownOf({ already_existed: true })).toEqual(['id']);
});

test.each([
	[false, ['', '0', '10', '4294967294', 'id', 'files_count', 'row_key']],
	[true, ['01', '-1', '1.5', '12345678901', 'Site', 'group']],
])('column names can be keys (%s), for each of %j', (isKey, keys) => {
	expect(keys.map(isColumnKey)).toEqual(keys.map(() => isKey));
});
