import { expect, it } from 'vitest';

import { storedResponsesOf } from '#connector/domain/answer/storedResponse.ts';
import type { JsonRecord } from '#connector/domain/json.ts';

it.each<[string, JsonRecord, number, string]>([
	['a number behind the path', { path: 'Page/Note:12' }, 12, 'Page/Note'],
	['no number', { path: 'Page/Note' }, 1, 'Page/Note'],
	['something else behind the number', { path: 'Page/Note:2b' }, 1, 'Page/Note:2b'],
	['a label that ends so', { path: 'Page/Gate:4', label: 'Gate:4' }, 1, 'Page/Gate:4'],
	['only a label that ends so', { path: 'Gate:4', label: 'Gate:4' }, 1, 'Gate:4'],
	['a label that ends like the path', { path: 'Page/A Gate:4', label: 'Gate:4' }, 4, 'Page/A Gate'],
	['the order beside the path', { path: 'Page/Note', repeat_section_order: 2 }, 2, 'Page/Note'],
	['the order in both', { path: 'Page/Note:2', repeat_section_order: 2 }, 2, 'Page/Note'],
	['order 1 of a path with :1', { path: 'Page/Note:1', repeat_section_order: 1 }, 1, 'Page/Note:1'],
	['the number at the beginning', { path: ':2/Note', repeat_section_order: 2 }, 2, ':2/Note'],
	['a path without its label', { path: 'Page/Room/', label: 'Floor' }, 1, 'Page/Room/Floor'],
	['neither', {}, 1, ''],
])('the instance and the path of a stored answer: %s', (_, item, order, path) => {
	expect(storedResponsesOf({ data: { items: [item] } })).toMatchObject([{ order, path }]);
});
