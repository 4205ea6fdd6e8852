import { expect, test } from 'vitest';

import { foldPath } from '#connector/domain/plainText.ts';

test.each(['Page/Site', 'page/ SITE', 'Page /Site', ' Page  /\u00a0site '])(
	'%j is the path of the same question',
	(path) => {
		expect(foldPath(path)).toBe('page/site');
	},
);
