import { expect, test } from 'vitest';

import { fileNameInItem, fileRecordsOf, storageOrigin } from '#connector/domain/file/file.ts';
import { unencryptedUrls } from '#connector/operations/file/unencryptedUrls.ts';

test.each([
	['the own one of an item that is the file', { file_id: 'a', name: 'own.jpg' }, 'own.jpg'],
	['known by the other members of a service', { id: 'a', file_name: 'own.jpg' }, 'own.jpg'],
	[
		'found in an inspection',
		{ id: 'i', name: 'Site 1', files: [{ id: 'a', name: 'own.jpg' }] },
		'own.jpg',
	],
	[
		'unknown in an item of other files',
		{ id: 'i', name: 'Site 1', files: [{ id: 'b', name: 'x.jpg' }, 7] },
		undefined,
	],
])('the name of a file in an item is %s', (_, item, name) => {
	expect(fileNameInItem(item, 'A')).toBe(name);
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

const HTTPS = 'https://api.example';

test('signed http addresses of an https service are told in one hint, without the signatures', () => {
	const urls = unencryptedUrls();
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
	const urls = unencryptedUrls();
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
