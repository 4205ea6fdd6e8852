/**
 * The extensions of each known media type. The first one is added to a name without an extension. From IANA's list of
 * media types, for the six kinds of files (`File` in docs/service.openapi.yaml) and for documents that people attach.
 */
const EXTENSIONS: Readonly<Record<string, string>> = {
	'image/jpeg': 'jpg jpeg',
	'image/png': 'png',
	'image/gif': 'gif',
	'image/webp': 'webp',
	'image/heic': 'heic',
	'image/heif': 'heif',
	'image/avif': 'avif',
	'image/svg+xml': 'svg',
	'image/tiff': 'tif tiff',
	'image/bmp': 'bmp',
	'image/vnd.dwg': 'dwg',
	'image/vnd.dxf': 'dxf',
	'video/mp4': 'mp4',
	'video/quicktime': 'mov',
	'video/3gpp': '3gp',
	'video/webm': 'webm',
	'video/x-msvideo': 'avi',
	'audio/mpeg': 'mp3',
	'audio/mp4': 'm4a',
	'audio/wav': 'wav',
	'audio/aac': 'aac',
	'audio/amr': 'amr',
	'audio/ogg': 'ogg',
	'application/pdf': 'pdf',
	'text/plain': 'txt',
	'text/csv': 'csv',
	'text/markdown': 'md',
	'text/html': 'html htm',
	'application/xml': 'xml',
	'application/json': 'json',
	'application/rtf': 'rtf',
	'application/msword': 'doc',
	'application/vnd.ms-excel': 'xls',
	'application/vnd.ms-powerpoint': 'ppt',
	'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
	'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
	'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
	'application/vnd.oasis.opendocument.text': 'odt',
	'application/vnd.oasis.opendocument.spreadsheet': 'ods',
	'application/zip': 'zip',
	'application/x-7z-compressed': '7z',
	'message/rfc822': 'eml',
	'application/vnd.ms-outlook': 'msg',
	'text/calendar': 'ics',
	'text/vcard': 'vcf',
	'application/vnd.google-earth.kml+xml': 'kml',
	'application/gpx+xml': 'gpx',
};

/** Matches the extension of a file name. */
export const EXTENSION = /\.([a-z0-9]{1,8})$/i;

/** Returns the media type of a name with a known extension. */
export function typeOfName(name: string): string | undefined {
	const own = EXTENSION.exec(name)?.[1]?.toLowerCase() ?? '';
	return Object.keys(EXTENSIONS).find((type) => EXTENSIONS[type]?.split(' ').includes(own));
}

/** Returns the extension of a media type, such as `.jpg`. */
export function extensionOf(type: string): string | undefined {
	const [extension] = EXTENSIONS[type]?.split(' ') ?? [];
	return extension && `.${extension}`;
}

/** The number of bytes that `contentOf` needs. An SVG or XHTML file can begin with a comment. */
export const FIRST_BYTES = 1_024;

/**
 * Matches the bytes by which a format begins, as Latin1 text. From the specifications of the formats. `[^ -~]` is a byte
 * that isn't a printable character.
 */
const SIGNATURES: readonly (readonly [type: string, beginning: RegExp])[] = [
	['image/jpeg', /^\xff\xd8\xff/],
	['image/png', /^\x89PNG/],
	['image/gif', /^GIF8/],
	['image/webp', /^RIFF.{4}WEBP/s],
	['audio/wav', /^RIFF.{4}WAVE/s],
	['video/x-msvideo', /^RIFF.{4}AVI /s],
	['image/heic', /^.{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)/s],
	['image/avif', /^.{4}ftypavi[fs]/s],
	['video/quicktime', /^.{4}ftypqt /s],
	['audio/mp4', /^.{4}ftypM4[AB] /s],
	['video/3gpp', /^.{4}ftyp3g/s],
	['video/mp4', /^.{4}ftyp/s],
	['video/webm', /^[^ -~]E\xdf\xa3/],
	['application/pdf', /^%PDF-/],
	['image/tiff', /^(?:II\*[^ -~]|MM[^ -~]\*)/],
	['audio/mpeg', /^(?:ID3|\xff\xfb)/],
	['audio/ogg', /^OggS/],
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
	const [exact] = SIGNATURES.find(([, beginning]) => beginning.test(text)) ?? [];
	const type = exact ?? containerOf(text);
	return type === undefined ? undefined : { type, isContainer: exact === undefined };
}

/** Whether files of this type can be recognized by their first bytes. */
export function hasSignature(type: string): boolean {
	return SIGNATURES.some(([known]) => known === type);
}
