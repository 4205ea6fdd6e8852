// @module-tag slow
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isHtml, serviceMessage } from '#connector/domain/request/serviceMessage.ts';
import { anyText } from '#harness/anyText.mts';

describe('the service’s message', () => {
	test.each([
		['{"code":404,"message":"Template not found"}', 'Template not found'],
		['{"error":{"code":1,"message":"No"}}', 'No'],
		['{"error":"invalid","error_description":"too long"}', 'invalid'],
		['{"errors":[{"message":"a"},{"detail":"b"}]}', 'a; b'],
		['{"errors":{"name":["is long","is odd"]}}', 'name: is long; is odd'],
		['{"title":"Bad Request","detail":"No team"}', 'No team'],
		['{"Message":"Upper"}', 'Upper'],
		['{"code":4,"error_description":"too long"}', 'too long'],
		['{"type":"x","title":"Bad Request"}', 'Bad Request'],
		['{"code":4,"reason":"No team"}', 'No team'],
		['{"name":["is long"],"team":[7],"site":["is odd"]}', 'name: is long; site: is odd'],
		['{"name":"is long"}', undefined],
		[
			'{"a":["1"],"b":["2"],"c":["3"],"d":["4"],"e":["5"],"f":["6"]}',
			'a: 1; b: 2; c: 3; d: 4; e: 5',
		],
		['{"message":{"a":[7]},"detail":"No team"}', 'No team'],
		['{"error":{"error":{"error":{"error":{"error":"inside"}}}}}', 'inside'],
		['{"error":{"error":{"error":{"error":{"error":{"error":"too deep"}}}}}}', undefined],
		['{"a":[{"a":[{"a":["too deep"]}]}]}', undefined],
		['see <title>Gone</title>', 'see <title>Gone</title>'],
		['\n <title>Gone</title>', 'Gone'],
		['list [1', 'list [1'],
		['\n {"message":"cut of', undefined],
		[`<${' '.repeat(20_000)}<title>Late</title>`, undefined],
		[`${' '.repeat(20_001)}late`, undefined],
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
		['{"code":500}', undefined],
		['{"message":{"message":{}}}', undefined],
		['', undefined],
		['42', undefined],
		['<p>no title</p>', undefined],
	])('%s', (body, words) => {
		expect(serviceMessage(body)).toBe(words);
	});

	test.each([
		['<html>', true],
		['\n <!DOCTYPE  html>', true],
		['<!-- a page\n of ours --> \n <body class="x">', true],
		['<!---->\n<head>', true],
		[`<!--${'x'.repeat(501)}--><html>`, false],
		['see <html>', false],
		['x<html>', false],
		['<!-- a -->x<html>', false],
		['<htmlx>', false],
		['<Error>', false],
		['{}', false],
	])('comes from a web page in %j: %s', (body, isPage) => {
		expect(isHtml(body)).toBe(isPage);
	});

	test('is one short clean line for any body', () => {
		fc.assert(
			fc.property(fc.oneof(fc.json(), anyText(), fc.string()), (body) => {
				const words = serviceMessage(body);
				if (words === undefined) return;
				expect(words.length).toBeLessThanOrEqual(300);
				expect(words).toBe(words.trim());
				expect(words).not.toMatch(/[\p{Cc}\p{Cs}]/u);
			}),
		);
	});
});
