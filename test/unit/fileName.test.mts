import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import {
	describeFile,
	dispositionFileName,
	safeFileName,
	statedType,
	uniqueFileNames,
} from '#connector/domain/file/fileName.ts';
import { contentDisposition } from '#sandbox/service/fileServer.mts';

describe('Content-Disposition', () => {
	test.each([
		['attachment; filename="report.pdf"', 'report.pdf'],
		['attachment; filename=report.pdf', 'report.pdf'],
		['attachment;filename=report.pdf;size=3', 'report.pdf'],
		['inline; FILENAME = "Report 1.pdf"', 'Report 1.pdf'],
		['filename="no type.pdf"', 'no type.pdf'],
		[
			String.raw`attachment; filename="a \"quoted\" \\ name.pdf"`,
			String.raw`a "quoted" \ name.pdf`,
		],
		['attachment; filename="semi;colon.pdf"', 'semi;colon.pdf'],
		["attachment; filename=old.pdf; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf", 'Größe.pdf'],
		["attachment; filename*=utf-8'en'%e2%82%ac%20rates; filename=plain", '€ rates'],
		["attachment; filename*=ISO-8859-1''caf%E9.txt", 'café.txt'],
		["attachment; filename*=UTF-8''%FF%FE; filename=fallback.txt", 'fallback.txt'],
		["attachment; filename*=KOI8-R''%C1; filename=fallback.txt", 'fallback.txt'],
		["attachment; filename*=x-utf-8''%C3%B6; filename=fallback.txt", 'fallback.txt'],
		["attachment; filename*=x-iso-8859-1''%F6; filename=fallback.txt", 'fallback.txt'],
		["attachment; filename*=UTF-8''; filename=fallback.txt", 'fallback.txt'],
		["attachment; filename*=UTF-8''it's%20mine.txt", "it's mine.txt"],
		// UTF-8 put into the header as it is, against the rules: Node reads it as Latin-1.
		[`attachment; filename="${Buffer.from('Größe 検.pdf').toString('latin1')}"`, 'Größe 検.pdf'],
		['attachment; filename="caf\xe9.txt"', 'café.txt'],
		[`attachment; filename="a; filename*=UTF-8''evil.exe"`, "a; filename*=UTF-8''evil.exe"],
		['attachment; name="a; filename=b.txt"; filename="c.txt"', 'c.txt'],
		[`attachment; filename*="UTF-8''quoted%20x.txt"`, 'quoted x.txt'],
		['attachment; filename="unterminated.txt', undefined],
		['attachment; filename=first.txt; filename=second.txt', 'first.txt'],
		['attachment; filename="検査 caf\xe9.txt"', '検査 café.txt'],
		['attachment; filename="100%25.txt"', '100%25.txt'],
		['attachment', undefined],
		['attachment; filename=""', undefined],
		['attachment; filename="  "', undefined],
		['attachment; xfilename=evil.txt', undefined],
		['', undefined],
		[undefined, undefined],
	])('%j names %j', (header, name) => {
		expect(dispositionFileName(header)).toBe(name);
	});

	test('gives back any name that RFC 5987 can carry', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
				fc.pre(name.trim() !== '');
				expect(dispositionFileName(contentDisposition(name, 'extended') ?? '')).toBe(name.trim());
			}),
		);
	});
});

describe('a safe name', () => {
	test.each([
		['photo.jpg', 'photo.jpg'],
		['../../etc/passwd', 'passwd'],
		[String.raw`C:\Users\me\report.pdf`, 'report.pdf'],
		['a:b*c?.txt', 'a_b_c_.txt'],
		['invoice\u202Efdp.exe', 'invoicefdp.exe'],
		['line\nbreak\0.txt', 'linebreak.txt'],
		['CON.txt', '_CON.txt'],
		['COM¹', '_COM¹'],
		['lpt3.log', '_lpt3.log'],
		['CONIN$', '_CONIN$'],
		['nul .txt', '_nul .txt'],
		['console.log', 'console.log'],
		['falcon.txt', 'falcon.txt'],
		['folder/report.pdf', 'report.pdf'],
		[String.raw`a/b\c.pdf`, 'c.pdf'],
		[String.raw`a\b/c.pdf`, 'c.pdf'],
		['com10.txt', 'com10.txt'],
		['.htaccess', 'htaccess'],
		[' .. .name', 'name'],
		['trailing. . ', 'trailing'],
		['検査.pdf', '検査.pdf'],
		['..', undefined],
		['/', undefined],
		['', undefined],
	])('%j becomes %j', (name, safe) => {
		expect(safeFileName(name)).toBe(safe);
	});

	test('of any text is one that every file system takes, and stays as it is', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
				const safe = safeFileName(name);
				if (safe === undefined) return;
				expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
				expect(safe).toMatch(/^[^/\\<>:"|?*\p{Cc}\p{Cf}]+$/u);
				expect(safe).not.toMatch(/^[.\s]|[.\s]$/);
				expect(safeFileName(safe)).toBe(safe);
			}),
		);
	});

	test('keeps the extension of a name that is too long', () => {
		expect(safeFileName(`${'検'.repeat(300)}.jpeg`)).toMatch(/^検{60,66}\.jpeg$/u);
		expect(safeFileName(`v1.2 ${'a'.repeat(300)}.jpeg`)).toMatch(/^v1\.2 a+\.jpeg$/);
	});

	test('uses all bytes that a name may have', () => {
		expect(safeFileName(`${'a'.repeat(300)}.jpeg`)).toBe(`${'a'.repeat(195)}.jpeg`);
		expect(safeFileName('a'.repeat(300))).toBe('a'.repeat(200));
		expect(safeFileName('a'.repeat(200))).toBe('a'.repeat(200));
	});
});

describe('name and type', () => {
	const clues = { fileId: 'c9f0f895', url: 'https://files.test/a/b', headers: {} };
	const pdf = { 'content-type': 'application/pdf; charset=binary' };
	const named = { ...pdf, 'content-disposition': 'attachment; filename="sent.pdf"' };

	test.each([
		['the wanted name first', { wantedName: 'mine.pdf', headers: named }, 'mine.pdf'],
		[
			'then the header',
			{ headers: named, url: 'https://f.test/u.pdf', listedName: 'l.pdf' },
			'sent.pdf',
		],
		[
			'then the URL',
			{ headers: pdf, url: 'https://f.test/x/Gr%C3%B6.pdf?sig=1', listedName: 'l.pdf' },
			'Grö.pdf',
		],
		['then the file object', { headers: pdf, listedName: 'listed.pdf' }, 'listed.pdf'],
		[
			'a URL that ends in an id with a dot',
			{ headers: pdf, url: 'https://f.test/v1.2-9f', listedName: 'listed.pdf' },
			'listed.pdf',
		],
		['then the id', { headers: pdf }, 'c9f0f895.pdf'],
		['an id that can be no name', { headers: pdf, fileId: '..' }, 'file.pdf'],
		['a URL that is broken', { headers: pdf, url: 'https://f.test/%E0%A4%A.pdf' }, '%E0%A4%A.pdf'],
		['a wanted name of nothing but dots', { headers: named, wantedName: '...' }, 'sent.pdf'],
	])('%s', (_, given, fileName) => {
		expect(describeFile({ ...clues, ...given })).toEqual({ fileName, mimeType: 'application/pdf' });
	});

	test.each([
		['application/octet-stream', 'photo.JPG', 'image/jpeg'],
		['binary/octet-stream', 'clip.mov', 'video/quicktime'],
		['application/binary', 'scan.pdf.tif', 'image/tiff'],
		['application/x-download', 'page.htm', 'text/html'],
		['application/unknown', 'photo.jpeg', 'image/jpeg'],
		['application/force-download', 'clip.m4v', 'video/mp4'],
		['nonsense', 'x.unknown', 'application/octet-stream'],
		[undefined, 'voice.m4a', 'audio/mp4'],
		['image/PNG; q=1', 'photo.jpg', 'image/png'],
		['image/png ;q=1', 'photo.jpg', 'image/png'],
		['', 'photo.jpg', 'image/jpeg'],
	])('Content-Type %j and the name %s say %s', (contentType, listedName, mimeType) => {
		const headers = { 'content-type': contentType };
		expect(describeFile({ ...clues, listedName, headers }).mimeType).toBe(mimeType);
	});

	test.each([
		['image', '.jpg .png .gif .webp .heic .heif .bmp .tiff .svg'],
		['video', '.mp4 .mov .webm .3gp .avi'],
		['audio', '.mp3 .m4a .aac .wav .ogg'],
		['application', '.pdf .zip .json .doc .docx .xls .xlsx .ppt .pptx'],
		['text', '.txt .csv .html .xml'],
	])('the %s files %s: the extension says the type, and the type the extension', (kind, names) => {
		for (const extension of names.split(' ')) {
			const { mimeType } = describeFile({ ...clues, listedName: `a${extension}` });
			expect(mimeType).toMatch(new RegExp(`^${kind}/(?!octet-stream)`));
			const headers = { 'content-type': mimeType };
			expect(describeFile({ ...clues, headers }).fileName).toBe(`c9f0f895${extension}`);
		}
	});

	test('the found name says the type where the wanted one does not', () => {
		const given = { wantedName: 'photo', listedName: 'IMG_1.heic' };
		expect(describeFile({ ...clues, ...given }).mimeType).toBe('image/heic');
	});

	test('a type without a known extension leaves the id as the name', () => {
		const headers = { 'content-type': 'image/x-camera' };
		expect(describeFile({ ...clues, headers })).toEqual({
			fileName: 'c9f0f895',
			mimeType: 'image/x-camera',
		});
	});

	test('any header gives a name and a type', () => {
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

describe('names of files', () => {
	test.each([
		[
			['IMG_0001.jpg', 'IMG_0001.jpg', 'IMG_0001.jpg'],
			['IMG_0001.jpg', 'IMG_0001 (2).jpg', 'IMG_0001 (3).jpg'],
		],
		[
			['a.jpg', 'A.JPG'],
			['a.jpg', 'A (2).JPG'],
		],
		[
			['a.jpg', 'a.jpg', 'a (2).jpg'],
			['a.jpg', 'a (3).jpg', 'a (2).jpg'],
		],
		[
			['photo', 'photo', '.env', '.env'],
			['photo', 'photo (2)', '.env', '.env (2)'],
		],
		[
			['plan.tar.gz', 'plan.png'],
			['plan.tar.gz', 'plan.png'],
		],
		[
			['caf\u00e9.jpg', 'cafe\u0301.jpg'],
			['caf\u00e9.jpg', 'cafe\u0301 (2).jpg'],
		],
	])('%j become %j', (names, expected) => {
		expect(uniqueFileNames(names)).toEqual(expected);
	});

	const name = fc.oneof(
		fc.constantFrom(
			'a',
			'A',
			'a.b',
			'a (2)',
			'a (3)',
			'a (2).b',
			'a (2) (2)',
			'.a',
			'é',
			'e\u0301',
		),
		fc.string({ maxLength: 3 }),
	);

	it('are all different in every file system, and those that were different stay', () => {
		fc.assert(
			fc.property(fc.array(name), (names) => {
				const unique = uniqueFileNames(names);
				const compared = unique.map((one) => one.normalize('NFC').toLowerCase());
				expect(new Set(compared).size).toBe(names.length);
				const given = names.map((one) => one.normalize('NFC').toLowerCase());
				names.forEach((one, at) => {
					if (given.indexOf(given[at] ?? '') === at) expect(unique[at]).toBe(one);
				});
			}),
		);
	});
});
