/**
 * The media type of each known extension. For a type with several extensions, the first one is added to a name without
 * an extension. From IANA's list of media types, for the six kinds of files (`File` in docs/service.openapi.yaml) and
 * for documents that people attach.
 */
const TYPES: ReadonlyMap<string, string> = new Map([
	['jpg', 'image/jpeg'],
	['jpeg', 'image/jpeg'],
	['png', 'image/png'],
	['gif', 'image/gif'],
	['webp', 'image/webp'],
	['heic', 'image/heic'],
	['heif', 'image/heif'],
	['avif', 'image/avif'],
	['svg', 'image/svg+xml'],
	['tif', 'image/tiff'],
	['tiff', 'image/tiff'],
	['bmp', 'image/bmp'],
	['dwg', 'image/vnd.dwg'],
	['dxf', 'image/vnd.dxf'],
	['mp4', 'video/mp4'],
	['mov', 'video/quicktime'],
	['3gp', 'video/3gpp'],
	['webm', 'video/webm'],
	['avi', 'video/x-msvideo'],
	['mp3', 'audio/mpeg'],
	['m4a', 'audio/mp4'],
	['wav', 'audio/wav'],
	['aac', 'audio/aac'],
	['amr', 'audio/amr'],
	['ogg', 'audio/ogg'],
	['pdf', 'application/pdf'],
	['txt', 'text/plain'],
	['csv', 'text/csv'],
	['md', 'text/markdown'],
	['html', 'text/html'],
	['htm', 'text/html'],
	['xml', 'application/xml'],
	['json', 'application/json'],
	['rtf', 'application/rtf'],
	['doc', 'application/msword'],
	['xls', 'application/vnd.ms-excel'],
	['ppt', 'application/vnd.ms-powerpoint'],
	['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
	['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
	['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
	['odt', 'application/vnd.oasis.opendocument.text'],
	['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
	['zip', 'application/zip'],
	['7z', 'application/x-7z-compressed'],
	['eml', 'message/rfc822'],
	['msg', 'application/vnd.ms-outlook'],
	['ics', 'text/calendar'],
	['vcf', 'text/vcard'],
	['kml', 'application/vnd.google-earth.kml+xml'],
	['gpx', 'application/gpx+xml'],
]);

const EXTENSION = /\.([a-z0-9]{1,8})$/i;

/** Returns the media type of a name with a known extension. */
export function typeOfName(name: string): string | undefined {
	return TYPES.get(EXTENSION.exec(name)?.[1]?.toLowerCase() ?? '');
}

/** Returns the extension of a media type, such as `.jpg`. */
export function extensionOf(type: string | undefined): string | undefined {
	const [extension] = [...TYPES].find(([, known]) => known === type) ?? [];
	return extension === undefined ? undefined : `.${extension}`;
}

/** The number of bytes that `contentOf` needs. An SVG or XHTML file can begin with a comment. */
export const FIRST_BYTES = 1_024;

type Signature = readonly [type: string, ...parts: (readonly [at: number, text: string])[]];

const FTYP = (type: string, ...brands: readonly string[]) =>
	brands.map((brand): Signature => [type, [4, `ftyp${brand}`]]);

/** The bytes by which a format begins, as Latin1 text with its position. From the specifications of the formats. */
const SIGNATURES: readonly Signature[] = [
	['image/jpeg', [0, '\xff\xd8\xff']],
	['image/png', [0, '\x89PNG\r\n\x1a\n']],
	['image/gif', [0, 'GIF8']],
	['image/webp', [0, 'RIFF'], [8, 'WEBP']],
	['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
	['video/x-msvideo', [0, 'RIFF'], [8, 'AVI ']],
	...FTYP('image/heic', 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'),
	...FTYP('image/avif', 'avif', 'avis'),
	...FTYP('video/quicktime', 'qt  '),
	...FTYP('audio/mp4', 'M4A ', 'M4B '),
	...FTYP('video/3gpp', '3g'),
	...FTYP('video/mp4', ''),
	['video/webm', [0, '\x1aE\xdf\xa3']],
	['application/pdf', [0, '%PDF-']],
	['image/tiff', [0, 'II*\0']],
	['image/tiff', [0, 'MM\0*']],
	['audio/mpeg', [0, 'ID3']],
	['audio/mpeg', [0, '\xff\xfb']],
	['audio/ogg', [0, 'OggS']],
];

/** Matches a byte order mark in UTF-8, as Latin1 text, and spaces. */
const BEFORE_TEXT = /^(?:\xef\xbb\xbf)?\s*/;

/**
 * Returns the type of a format that several types have in common, such as DOCX files, which are ZIP files. Undefined for
 * an unknown format.
 */
function containerOf(text: string): string | undefined {
	if (text.startsWith('PK\x03\x04')) return 'application/zip';
	const plain = text.replace(BEFORE_TEXT, '');
	if (/^[{[]/.test(plain)) return 'application/json';
	const root = withoutProlog(plain);
	if (/^<(?:!doctype\s+)?svg\b/i.test(root)) return 'image/svg+xml';
	if (/^<(?:!doctype\s+)?html\b/i.test(root)) return 'text/html';
	return plain.startsWith('<?xml') ? 'application/xml' : undefined;
}

/** Removes XML declarations and comments before the root element. */
function withoutProlog(text: string): string {
	let rest = text;
	for (;;) {
		const end = rest.startsWith('<!--') ? '-->' : '?>';
		const isProlog = rest.startsWith('<!--') || rest.startsWith('<?');
		const at = isProlog ? rest.indexOf(end) : -1;
		if (at === -1) return rest;
		rest = rest.slice(at + end.length).trimStart();
	}
}

/** What the first bytes of a file show. */
export interface Content {
	readonly type: string;
	/** Whether the name can tell the type more exactly. */
	readonly isContainer: boolean;
}

/** Recognizes a file by its first bytes. Undefined for an unknown format, such as plain text. */
export function contentOf(bytes: Uint8Array): Content | undefined {
	const text = String.fromCharCode(...bytes.subarray(0, FIRST_BYTES));
	const [type] =
		SIGNATURES.find(([, ...parts]) => parts.every(([at, part]) => text.startsWith(part, at))) ?? [];
	if (type !== undefined) return { type, isContainer: false };
	const container = containerOf(text);
	return container === undefined ? undefined : { type: container, isContainer: true };
}

/** Whether files of this type can be recognized by their first bytes. */
export function hasSignature(type: string): boolean {
	return SIGNATURES.some(([known]) => known === type);
}
