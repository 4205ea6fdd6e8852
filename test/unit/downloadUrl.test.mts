import { expect, test } from 'vitest';

import { storageOrigin, unencryptedUrlWarning } from '#connector/domain/file/downloadUrl.ts';

test('a signed http address of an https service is warned of, without the signature', () => {
	const warning = unencryptedUrlWarning(
		'https://api.example',
		'http://u:p@files.example:8080/a?sig=SECRET',
	);
	expect(warning).toMatch(/without encryption \(http:\/\/files\.example:8080\)/);
	expect(warning).not.toMatch(/SECRET|u:p/);
});

test.each([
	['https://api.example', 'https://files.example/a?sig=x'],
	['http://api.example', 'http://files.example/a?sig=x'],
	['https://api.example', 'no address'],
])('of the service %s and the address %s there is nothing to say', (baseUrl, url) => {
	expect(unencryptedUrlWarning(baseUrl, url)).toBeUndefined();
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
