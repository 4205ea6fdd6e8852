import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { serviceWords } from '#connector/domain/serviceWords.ts';

describe('the service’s words', () => {
	test.each([
		['{"code":404,"message":"Template not found"}', 'Template not found'],
		['{"error":{"code":1,"message":"No"}}', 'No'],
		['{"error":"invalid","error_description":"too long"}', 'invalid'],
		['{"errors":[{"message":"a"},{"detail":"b"}]}', 'a; b'],
		['{"errors":{"name":["is long","is odd"]}}', 'name: is long; is odd'],
		['{"title":"Bad Request","detail":"No team"}', 'No team'],
		['{"Message":"Upper"}', 'Upper'],
		['{"message":" ","detail":"No team"}', 'No team'],
		['"just text"', 'just text'],
		['["a",null,7,"b"]', 'a; b'],
		['{"error":[],"detail":"No team"}', 'No team'],
		['<body><h1 class="big">Gone</h1></body>', 'Gone'],
		['["a","b","c","d","e","f"]', 'a; b; c; d; e'],
		['[[[[["inside"]]]]]', 'inside'],
		['[[[[[["too deep"]]]]]]', undefined],
		['plain  text\n\twith\u0000 noise', 'plain text with noise'],
		['<html><head><title>502 Bad\nGateway</title></head></html>', '502 Bad Gateway'],
		['<?xml version="1.0"?><Error><Message>Expired</Message></Error>', 'Expired'],
		['{"message":"cut of', undefined],
		['{"code":500}', undefined],
		['{"message":{"message":{}}}', undefined],
		['', undefined],
		['null', undefined],
		['42', undefined],
		['<p>no title</p>', undefined],
	])('%s', (body, words) => {
		expect(serviceWords(body)).toBe(words);
	});

	test('are one short clean line, whatever comes', () => {
		fc.assert(
			fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.string()), (body) => {
				const words = serviceWords(body);
				if (words === undefined) return;
				expect(words.length).toBeLessThanOrEqual(300);
				expect(words).toBe(words.trim());
				expect(words).not.toMatch(/[\p{Cc}\p{Cs}]/u);
			}),
		);
		expect(serviceWords('😀'.repeat(400))).not.toMatch(/\p{Cs}/u);
	});
});
