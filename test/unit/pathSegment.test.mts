import { describe, expect, it } from 'vitest';

import {
	pathSegment,
	wellFormed,
} from '../../nodes/InspectionService/domain/request/pathSegment.ts';

describe('a value as one segment of a path', () => {
	it.each([
		[' WALK-1 ', 'WALK-1'],
		['../x', '..%2Fx'],
		['a?b#c', 'a%3Fb%23c'],
		['50 %', '50%20%25'],
		['Prüf', 'Pr%C3%BCf'],
		['a\ud800', 'a%EF%BF%BD'],
		['...', '...'],
	])('%j becomes %s', (value, segment) => {
		expect(pathSegment('Template', value)).toBe(segment);
	});

	it.each([
		['', 'Template is empty. Enter the value to look up'],
		[' \n', 'Template is empty. Enter the value to look up'],
		['.', 'Template "." cannot be looked up. Enter an ID or identifier'],
		[' .. ', 'Template ".." cannot be looked up. Enter an ID or identifier'],
	])('%j is refused', (value, message) => {
		expect(() => pathSegment('Template', value)).toThrow(message);
	});

	it('half of a pair of surrogates becomes the replacement character, a whole one stays', () => {
		expect(wellFormed('a\ud800b\udfffc\u{1f600}')).toBe('a\ufffdb\ufffdc\u{1f600}');
	});
});
