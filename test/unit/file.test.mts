// @module-tag slow
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { UnencryptedUrls } from '#connector/actions/file/unencryptedUrls.ts';
import { fileInItem, fileRecordsOf, storageOrigin } from '#connector/domain/file/file.ts';
import {
	describeFile,
	dispositionFileName,
	type ListedFile,
	replacementOf,
	safeFileName,
	statedType,
	uniqueFileNames,
} from '#connector/domain/file/fileName.ts';
import { anyText } from '#harness/anyText.mts';
import { contentDisposition } from '#sandbox/service/fileServer.mts';

describe('the HTTP header Content-Disposition', () => {
	test.each([
		['attachment;filename=report.pdf;size=3', 'report.pdf'],
		['inline; FILENAME = "Report 1.pdf"', 'Report 1.pdf'],
		['filename="no type.pdf"', 'no type.pdf'],
		[String.raw`attachment; filename="a \"quoted\" \\ x.pdf"`, String.raw`a "quoted" \ x.pdf`],
		['attachment; filename="semi;colon.pdf"', 'semi;colon.pdf'],
		["attachment; filename*=utf-8'en'%e2%82%ac%20rates; filename=plain", '€ rates'],
		...["UTF-8''%FF%FE", "ISO-8859-1''caf%E9", "x-utf-8''%C3%B6", "UTF-8''"].map((name) => [
			`attachment; filename*=${name}; filename=fallback.txt`,
			'fallback.txt',
		]),
		// Some servers send UTF-8 in this header, which violates the standard. Node reads the header as Latin1.
		[`attachment; filename="${Buffer.from('Größe 検.pdf').toString('latin1')}"`, 'Größe 検.pdf'],
		['attachment; filename="caf\xe9.txt"', 'café.txt'],
		[`attachment; filename="a; filename*=UTF-8''evil.exe"`, "a; filename*=UTF-8''evil.exe"],
		['attachment; name="a; filename=b.txt"; filename="c.txt"', 'c.txt'],
		[`attachment; filename*="UTF-8''quoted%20x.txt"`, 'quoted x.txt'],
		['attachment; filename=first.txt; filename=second.txt', 'first.txt'],
		['attachment; filename="検査 caf\xe9.txt"', '検査 café.txt'],
		['attachment; filename="100%25.txt"', '100%.txt'],
		['attachment; filename="100%.txt"', '100%.txt'],
		['attachment; filename="Haus%201.jpg"', 'Haus 1.jpg'],
		...['; filename="unterminated.txt', '', '; filename=""', '; filename="  "'].map((name) => [
			`attachment${name}`,
			undefined,
		]),
		['attachment; xfilename=evil.txt', undefined],
		...['', undefined].map((header) => [header, undefined]),
	])('as %j has the name %j', (header, name) => {
		expect(dispositionFileName(header)).toBe(name);
	});

	test('returns any name that RFC 5987 can encode', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
				fc.pre(name.trim() !== '');
				expect(dispositionFileName(contentDisposition(name, 'extended') ?? '')).toBe(name.trim());
			}),
		);
	});
});

describe('a safe file name', () => {
	const unchanged = ['photo.jpg', 'console.log', 'falcon.txt', 'com10.txt', '検査.pdf'];
	test.each([
		...unchanged.map((name) => [name, name]),
		...['..', '/', ''].map((name) => [name, undefined]),
		['../../etc/passwd', 'etc_passwd'],
		['Visit 24/05/2026.png', 'Visit 24_05_2026.png'],
		['a:b*c?.txt', 'a_b_c_.txt'],
		['invoice\u202Efdp.exe', 'invoicefdp.exe'],
		['line\nbreak\0.txt', 'linebreak.txt'],
		...['CON.txt', 'COM¹', 'lpt3.log', 'CONIN$', 'nul .txt'].map((name) => [name, `_${name}`]),
		[String.raw`a/b\c.pdf`, 'a_b_c.pdf'],
		['.htaccess', 'htaccess'],
		[' .. .name', 'name'],
		['trailing. . ', 'trailing'],
	])('turns %j into %j', (name = '', safe) => {
		expect(safeFileName(name)).toBe(safe);
	});

	test("is valid in every file system for any text, even if it's made safe twice", () => {
		fc.assert(
			fc.property(anyText({ maxLength: 400 }), (name) => {
				const safe = safeFileName(name);
				if (safe === undefined) return;
				expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
				expect(safe).toMatch(/^[^/\\<>:"|?*\p{Cc}\p{Cf}]+$/u);
				expect(safe).not.toMatch(/^[.\s]|[.\s]$/);
				expect(safeFileName(safe)).toBe(safe);
			}),
		);
	});

	test('keeps its extension while using all allowed bytes', () => {
		expect(safeFileName(`${'検'.repeat(300)}.jpeg`)).toMatch(/^検{60,66}\.jpeg$/u);
		expect(safeFileName(`v1.2 ${'a'.repeat(300)}.jpeg`)).toMatch(/^v1\.2 a+\.jpeg$/);
		expect(safeFileName(`${'a'.repeat(300)}.jpeg`)).toBe(`${'a'.repeat(195)}.jpeg`);
		expect(safeFileName('a'.repeat(300))).toBe('a'.repeat(200));
		expect(safeFileName('a'.repeat(200))).toBe('a'.repeat(200));
	});
});

describe("a file's name or type", () => {
	const pdf = { 'content-type': 'application/pdf; charset=binary' };
	const firstBytes = new Uint8Array();
	const clues = { fileId: 'c9f0f895', url: 'https://files.test/a/b', headers: {}, firstBytes };
	const sent = { ...pdf, 'content-disposition': 'attachment; filename="x/sent.pdf"' };
	const listedName = 'listed.pdf';
	const named = (path: string) => `https://files.test/${path}`;

	test.each([
		['the requested name first', { wantedName: 'mine.pdf', headers: sent }, 'mine.pdf'],
		['then the header', { headers: sent, url: named('u.pdf'), listedName }, 'sent.pdf'],
		['then the URL', { url: named('x/Gr%C3%B6.pdf?sig=1'), listedName }, 'Grö.pdf'],
		['then the file object', { listedName }, 'listed.pdf'],
		[
			'an unreadable name before the ID',
			{ headers: { ...pdf, 'content-disposition': 'filename="a??.pdf"' } },
			'a__.pdf',
		],
		[
			'a question mark at the end',
			{ headers: { ...pdf, 'content-disposition': 'filename="Why?.pdf"' }, listedName },
			'Why_.pdf',
		],
		['no folder of the URL', { url: named('x%2Fu.pdf') }, 'u.pdf'],
		['a slash that is meant', { listedName: 'North 1/2.pdf' }, 'North 1_2.pdf'],
		['a URL that ends in an id with a dot', { url: named('v1.2-9f'), listedName }, 'listed.pdf'],
		['an ID that cannot be a file name', { fileId: '..' }, 'file.pdf'],
		['a URL that is broken', { url: named('%E0%A4%A.pdf') }, '%E0%A4%A.pdf'],
		[
			'the type of the header before that of the URL',
			{ headers: sent, url: named('x.xml') },
			'sent.pdf',
		],
		['a requested name of only dots', { headers: sent, wantedName: '...' }, 'sent.pdf'],
	])('comes from the clues in a fixed order: %s', (_, given, fileName) => {
		const file = describeFile({ ...clues, headers: pdf, ...given });
		expect(file).toEqual({ fileName, mimeType: 'application/pdf' });
	});

	test.each([
		'????.jpg',
		'H??user.jpg',
		'Fl?che.jpg',
		'\ufffdl.jpg',
		'=?UTF-8?B?R3LDtg==?=',
		'=?UTF-8?B?R3L/tg==?=',
	])(
		'prefers the name of the file object to %j in the HTTP header, which lost its characters',
		(name) => {
			const headers = { ...pdf, 'content-disposition': `attachment; filename="${name}"` };
			expect(describeFile({ ...clues, headers, listedName }).fileName).toBe(listedName);
		},
	);

	test.each([
		['application/octet-stream', 'photo.JPG', 'image/jpeg'],
		['application/binary', 'scan.tif.pdf', 'application/pdf'],
		['application/x-download', 'page.constructor', 'application/octet-stream'],
		['application/unknown', 'photo.jpeg', 'image/jpeg'],
		['application/force-download', 'clip.mp4', 'video/mp4'],
		['nonsense', 'x.unknown', 'application/octet-stream'],
		[undefined, 'voice.m4a', 'audio/mp4'],
		['image/PNG; q=1', 'photo.jpg', 'image/jpeg'],
		['image/png ;q=1', 'photo', 'image/png'],
	])('is for Content-Type %j with the name %s: %s', (contentType, name, mimeType) => {
		const headers = { 'content-type': contentType };
		expect(describeFile({ ...clues, listedName: name, headers }).mimeType).toBe(mimeType);
	});

	test.each([
		['image', '.jpg .png .gif .webp .heic .svg'],
		['video', '.mp4 .mov'],
		['audio', '.mp3 .m4a .wav'],
		['application', '.pdf'],
	])('agrees with the other for %s files %s', (kind, names) => {
		for (const extension of names.split(' ')) {
			const { mimeType } = describeFile({ ...clues, listedName: `a${extension}` });
			expect(mimeType).toMatch(new RegExp(`^${kind}/(?!octet-stream)`));
			const headers = { 'content-type': mimeType };
			expect(describeFile({ ...clues, headers }).fileName).toBe(`c9f0f895${extension}`);
		}
	});

	test('falls back to the actual name, then to .bin, if no type is known', () => {
		const given = { wantedName: 'photo', listedName: 'IMG_1.heic' };
		expect(describeFile({ ...clues, ...given }).mimeType).toBe('image/heic');
		const headers = { 'content-type': 'image/x-camera' };
		expect(describeFile({ ...clues, headers }).fileName).toBe('c9f0f895.bin');
	});

	const bytes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
	const JPEG = bytes('\xff\xd8\xff\xe0..JFIF');
	test.each([
		[JPEG, 'image/jpeg'],
		[bytes('\x89PNG\r\n\x1a\n'), 'image/png'],
		[bytes('GIF89a'), 'image/gif'],
		[bytes('RIFF1234WEBPVP8 '), 'image/webp'],
		[bytes('\0\0\0\x18ftypheic'), 'image/heic'],
		[bytes('\0\0\0\x18ftypisom'), 'video/mp4'],
		[bytes('\0\0\0\x14ftypqt  '), 'video/quicktime'],
		[bytes('%PDF-1.7'), 'application/pdf'],
	])('follows the first bytes %s rather than the name or HTTP header', (firstBytes, type) => {
		const headers = { 'content-type': 'text/html' };
		const given = { ...clues, headers, listedName: 'data.csv', firstBytes };
		expect(describeFile(given)).toEqual({ fileName: 'data.csv', mimeType: type });
		expect(replacementOf({ ...given, kind: 'image' })).toBeUndefined();
	});

	test.each([
		['photo', 'photo.jpg'],
		['3f2b8c1e', '3f2b8c1e.jpg'],
		['Signature of A. Miller', 'Signature of A. Miller.jpg'],
		['Dr. Weber', 'Dr. Weber.jpg'],
		['Report v1.2', 'Report v1.2.jpg'],
		['IMG_1.JPEG', 'IMG_1.JPEG'],
		['plan.dwg', 'plan.dwg'],
	])('uses the listed name %s with the extension of a known type: %s', (name, fileName) => {
		expect(describeFile({ ...clues, listedName: name, firstBytes: JPEG }).fileName).toBe(fileName);
	});

	test('keeps the ending of a name whose type is unknown', () => {
		expect(describeFile({ ...clues, listedName: 'model.skp' }).fileName).toBe('model.skp');
	});

	test.each([
		'3F2B8C1E-1111-4222-8333-444455556666',
		'3f2b8c1e11114222833344445555666a.jpg',
		'c9f0f895',
	])('uses the listed name rather than the ID %s in the HTTP header', (id) => {
		const headers = { 'content-disposition': `attachment; filename="${id}"` };
		const given = { ...clues, headers, firstBytes: JPEG };
		expect(describeFile({ ...given, listedName: 'IMG_1.jpg' }).fileName).toBe('IMG_1.jpg');
		expect(describeFile(given).fileName).toBe(`${id.replace('.jpg', '')}.jpg`);
	});

	test.each<[string, ListedFile & { type?: string; disposition?: string }, string | undefined]>([
		['<!doctype html><title>Sign in</title>', { kind: 'image', type: 'image/jpeg' }, 'a web page'],
		['\xef\xbb\xbf <!-- x --><HTML>', { listedName: 'IMG_1.jpg' }, 'a web page'],
		['<?xml version="1.0"?><!DOCTYPE html>', { kind: 'attachment' }, 'a web page'],
		['<html>', { kind: 'image', disposition: 'attachment' }, 'a web page'],
		['<html>', { kind: 'attachment', disposition: 'attachment' }, undefined],
		['<html>', { kind: 'attachment', listedName: 'report.html', type: 'text/html' }, undefined],
		['<html>', { kind: 'attachment', disposition: 'filename="r.htm"' }, undefined],
		['{"error": 1}', { kind: 'image' }, 'an error document (application/json)'],
		['<?xml version="1.0"?><Error/>', { kind: 'video' }, 'an error document (application/xml)'],
		['<?xml version="1.0"?><svg/>', { kind: 'image', type: 'text/xml' }, undefined],
		['{"a": 1}', { kind: 'attachment', listedName: 'data.json' }, undefined],
		['a;b', { kind: 'attachment', listedName: 'data.csv', type: 'text/html' }, undefined],
		['Please sign in', { listedName: 'IMG_1.jpg', type: 'text/html' }, 'a web page'],
	])(
		'shows whether something else was sent: %j as %j is %s',
		(text, { type, disposition, ...listed }, replaced) => {
			const headers = { 'content-type': type, 'content-disposition': disposition };
			const given = { ...listed, headers, url: named('file'), firstBytes: bytes(text) };
			expect(replacementOf(given)).toBe(replaced);
		},
	);

	test.each([
		['PK\x03\x04', 'plan.docx', /wordprocessingml/],
		['PK\x03\x04', 'plan.zip', /^application\/zip$/],
		['{"a":1}', 'notes.txt', /^text\/plain$/],
		['{"a":1}', 'notes', /^application\/json$/],
	])('distinguishes containers by the name: %j, %s', (text, listedName, type) => {
		expect(describeFile({ ...clues, listedName, firstBytes: bytes(text) }).mimeType).toMatch(type);
	});

	test('exists for any first bytes', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 40 }), (firstBytes) => {
				expect(describeFile({ ...clues, firstBytes }).mimeType).toMatch(/^\S+\/\S+$/);
			}),
		);
	});

	const attached = { 'content-disposition': 'attachment' };
	test.each([
		['text/html; charset=utf-8', 'file?x=.html', {}, true],
		['TEXT/HTML', 'photo.jpg', {}, true],
		['text/html', 'Report.HTM?sig=1', {}, false],
		['text/html', 'file', attached, false],
		['image/png', 'file', {}, false],
	])(
		"shows for %s at %s %j whether it's a web page instead of the file: %s",
		(type, path, others, isPage) => {
			const headers = { 'content-type': type, ...others };
			expect(replacementOf({ ...clues, url: named(path), headers })).toBe(
				isPage ? 'a web page' : undefined,
			);
		},
	);

	const called = (name: string) => ({ 'content-disposition': `attachment; filename="${name}"` });
	test.each<[string, ListedFile & { path?: string; headers?: Record<string, string> }, boolean]>([
		['application/json', { kind: 'image' }, true],
		['application/xml; charset=utf-8', { kind: 'Signature' }, true],
		['text/xml', { kind: 'video' }, true],
		['application/problem+json', { kind: 'attachment', listedName: 'IMG_1.JPG' }, true],
		['application/xml', { path: 'photo.heic?sig=1' }, true],
		['application/xml', { headers: called('Plan.pdf') }, true],
		['image/svg+xml', { kind: 'image' }, false],
		['image/jpeg', { kind: 'image' }, false],
		['text/plain', { kind: 'image' }, false],
		['application/json', { kind: 'attachment', listedName: 'data.json' }, false],
		['application/xml', { kind: null }, false],
	])(
		"shows for %s instead of %j whether it's an error document: %s",
		(type, { path, headers, ...listed }, isError) => {
			const given = { url: named(path ?? 'file'), headers: { 'content-type': type, ...headers } };
			const [plainType = ''] = type.split(';');
			const document = isError ? `an error document (${plainType})` : undefined;
			expect(replacementOf({ ...clues, ...listed, ...given })).toBe(document);
		},
	);

	test('exists for any HTTP header', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), fc.string(), (type, disposition, url) => {
				const headers = { 'content-type': type, 'content-disposition': disposition };
				const { fileName, mimeType } = describeFile({ ...clues, url, headers });
				expect(fileName).not.toBe('');
				expect(mimeType).toMatch(/^\S+\/\S+$/);
			}),
		);
		expect(statedType('text/html\r\nX: y')).toBeUndefined();
	});
});

describe('file names', () => {
	test.each([
		['a.jpg, a.jpg, a.jpg', 'a.jpg, a (2).jpg, a (3).jpg'],
		['a.jpg, A.JPG', 'a.jpg, A (2).JPG'],
		['a.jpg, a.jpg, a (2).jpg', 'a.jpg, a (3).jpg, a (2).jpg'],
		['photo, photo, .env, .env', 'photo, photo (2), .env, .env (2)'],
		['plan.tar.gz, plan.png', 'plan.tar.gz, plan.png'],
		['caf\u00e9.jpg, cafe\u0301.jpg', 'caf\u00e9.jpg, cafe\u0301 (2).jpg'],
	])('turn %s into %s', (names, expected) => {
		expect(uniqueFileNames(names.split(', '))).toEqual(expected.split(', '));
	});

	test('are unique in every file system, without a change of distinct names', () => {
		const usual = ['a', 'A', 'a.b', 'a (2)', 'a (3)', 'a (2).b', 'a (2) (2)', '.a', 'é', 'e\u0301'];
		const name = fc.oneof(fc.constantFrom(...usual), fc.string({ maxLength: 3 }));
		const compared = (names: readonly string[]) =>
			names.map((one) => one.normalize('NFC').toLowerCase());
		fc.assert(
			fc.property(fc.array(name), (names) => {
				const unique = uniqueFileNames(names);
				expect(new Set(compared(unique)).size).toBe(names.length);
				const given = compared(names);
				names.forEach((one, at) => {
					if (given.indexOf(given[at] ?? '') === at) expect(unique[at]).toBe(one);
				});
			}),
		);
	});
});

test.each([
	[{ file_id: 'a', name: 'own.jpg' }, 'own.jpg'],
	[{ id: 'a', file_name: 'own.jpg' }, 'own.jpg'],
	[{ id: 'i', name: 'Site 1', files: [{ id: 'a', name: 'own.jpg' }] }, 'own.jpg'],
	[{ id: 'i', name: 'Site 1', files: [{ id: 'b', name: 'x.jpg' }, 7] }, undefined],
])('a file in the item %j has the name %j', (item, name) => {
	expect(fileInItem(item, 'A').listedName).toBe(name);
});

test('the files of an inspection have all known facts about each', () => {
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
	const [first] = fileRecordsOf({ id: 'i', name: 'Walk', files });
	expect(first).toMatchObject({ inspection_name: 'Walk' });
	expect(fileRecordsOf({ id: 'i' })).toEqual([]);
});

const HTTPS = 'https://api.example';

test('a hint lists http addresses of an https service without their signatures', () => {
	const urls = new UnencryptedUrls();
	for (const one of [1, 1, 2, 3, 4, 5]) {
		urls.add(HTTPS, `http://u:p@files${one}.example:8080/a?sig=SECRET`);
	}
	const message = expect.stringMatching(
		/unencrypted file addresses \(http:\/\/files1\.example:8080, \S+2\S+, \S+3\S+ and 2 more\)/,
	);
	expect(urls.hints()).toEqual([{ message, type: 'warning' }]);
	expect(JSON.stringify(urls.hints())).not.toMatch(/SECRET|u:p/);
});

test.each([
	[HTTPS, 'https://files.example/a?sig=x'],
	['http://api.example', 'http://files.example/a?sig=x'],
])('no hint appears for the service %s with the address %s', (baseUrl, url) => {
	const urls = new UnencryptedUrls();
	urls.add(baseUrl, url);
	expect(urls.hints()).toEqual([]);
});

test.each([
	['file:///etc/passwd', /not a web address.*It leads to file:\. Ask/],
	['javascript:alert(1)', /not a web address.*It leads to javascript:\. Ask/],
	['data:text/html,<script>', /not a web address.*It leads to data:\. Ask/],
	['/files/1', /not a web address \(http or https, .*\), so it isn't used\. Ask/],
	['http://bank:secret@127.0.0.1:1/f', /^(?!.*secret).*password.* http:\/\/127\.0\.0\.1:1\. Ask/],
	['https://api.example.com@127.0.0.1:1/f', /user name or password/],
])('a file address such as %s is rejected', (url, message) => {
	expect(() => storageOrigin(url)).toThrow(message);
});
