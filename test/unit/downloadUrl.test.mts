import { expect, test } from 'vitest';

import { unencryptedUrlWarning } from '#connector/domain/file/downloadUrl.ts';

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
