import { expect, test } from 'vitest';

import { storageOrigin } from '#connector/domain/file/file.ts';
import { UnencryptedUrls } from '#connector/operations/file/unencryptedUrls.ts';

const HTTPS = 'https://api.example';

test('signed http addresses of an https service are told in one hint, without the signatures', () => {
	const urls = new UnencryptedUrls();
	expect(urls.hints()).toEqual([]);
	for (const one of [1, 1, 2, 3, 4, 5]) {
		urls.add(HTTPS, `http://u:p@files${one}.example:8080/a?sig=SECRET`);
	}
	const message = expect.stringMatching(
		/encryption \(http:\/\/files1\.example:8080, \S+2\S+, \S+3\S+ and 2 more\)/,
	);
	expect(urls.hints()).toEqual([{ message, type: 'warning' }]);
	expect(JSON.stringify(urls.hints())).not.toMatch(/SECRET|u:p/);
});

test.each([
	[HTTPS, 'https://files.example/a?sig=x'],
	['http://api.example', 'http://files.example/a?sig=x'],
	[HTTPS, 'no address'],
])('of the service %s and the address %s there is nothing to say', (baseUrl, url) => {
	const urls = new UnencryptedUrls();
	urls.add(baseUrl, url);
	expect(urls.hints()).toEqual([]);
});

test.each([
	['file:///etc/passwd', /not a web address.*It begins with "file:"/],
	['javascript:alert(1)', /not a web address.*It begins with "javascript:"/],
	['data:text/html,<script>', /not a web address.*It begins with "data:"/],
	['/files/1', /not a web address \(http or https\), so it is not used\.$/],
	[
		'http://bank.example:secret@127.0.0.1:1/f',
		/^(?!.*secret).*password.* http:\/\/127\.0\.0\.1:1$/,
	],
	['https://api.example.com@127.0.0.1:1/f', /user name or password/],
])('%s is opened by nobody', (url, message) => {
	expect(() => storageOrigin(url)).toThrow(message);
});
