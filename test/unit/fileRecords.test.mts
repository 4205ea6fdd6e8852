import { describe, expect, test } from 'vitest';

import { fileNameInItem, fileRecordsOf } from '#connector/domain/file/file.ts';

describe('the name of a file in an item', () => {
	const fileId = 'C9F0F895-0000-4000-8000-000000000001';
	const id = fileId.toLowerCase();

	test.each([
		['is the own one of an item that is the file', { file_id: id, name: 'own.jpg' }],
		['is known by the other members that a service may use', { id, file_name: 'own.jpg' }],
		[
			'is found among the files of an inspection',
			{
				id: 'i',
				name: 'Site 1',
				files: [
					{ file_id: 'x', name: 'other.jpg' },
					{ id, name: 'own.jpg' },
				],
			},
		],
	])('%s', (_, item) => {
		expect(fileNameInItem(item, fileId)).toBe('own.jpg');
	});

	test('is unknown where the item tells of another file', () => {
		const item = { id: 'i', name: 'Site 1', files: [{ file_id: 'x', name: 'other.jpg' }, 7] };
		expect(fileNameInItem(item, fileId)).toBeUndefined();
	});
});

test('the files of an inspection come with what is known of each', () => {
	const files = [
		{ id: 'a', name: 'gate.jpg', kind: 'image' },
		{ id: 'b', file_name: 'tour.mp4', type: 'video' },
		{ id: '', name: '', file_name: '', kind: '', type: '' },
		'no record',
	];
	const about = { inspection_id: 'i', inspection_name: null };
	expect(fileRecordsOf({ id: 'i', files })).toEqual([
		{ ...about, file_id: 'a', name: 'gate.jpg', type: 'image', file: files[0] },
		{ ...about, file_id: 'b', name: 'tour.mp4', type: 'video', file: files[1] },
		{ ...about, file_id: null, name: null, type: null, file: files[2] },
	]);
	expect(fileRecordsOf({ id: 'i', name: 'Walk', files })[0]).toMatchObject({
		inspection_name: 'Walk',
	});
	expect(fileRecordsOf({ id: 'i' })).toEqual([]);
});
