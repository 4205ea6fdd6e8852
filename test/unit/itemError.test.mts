import { expect, test } from 'vitest';

import { errorText, type ItemError } from '#connector/actions/itemError.ts';

test.each([
	['Row 2.5 is wrong', 'Correct it.', 'Row 2.5 is wrong. Correct it.'],
	['Row 2 is wrong.', 'Correct it.', 'Row 2 is wrong. Correct it.'],
	['Is row 2 wrong?', 'Correct it.', 'Is row 2 wrong? Correct it.'],
	['Row 2 is wrong', null, 'Row 2 is wrong'],
])('the error output combines "%s" with "%s" in one text', (message, description, text) => {
	expect(errorText({ message, description } as ItemError)).toBe(text);
});
