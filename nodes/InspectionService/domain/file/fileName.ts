import { composedText } from '../plainText';

/** What is known of a file before its bytes are looked at. */
interface FileClues {
	/** The name that the user wants; '' or undefined for the file's own. */
	wantedName?: string;
	/** The name in the inspection's file object, where it has one. */
	listedName?: string;
	fileId: string;
	url: string;
	/** Response headers, names in lower case. */
	headers: Readonly<Record<string, string | undefined>>;
}

/**
 * The name and the media type of a downloaded file. The name is the first of these that there is: the one that the user
 * wants, that of `Content-Disposition`, that of the URL (with an extension), that of the inspection's file object, the
 * file's id. It is always safe and never empty. The type is that of `Content-Type`, or that of the name's extension where
 * `Content-Type` says only that there are bytes.
 */
export function describeFile(clues: FileClues): { fileName: string; mimeType: string } {
	const stated = statedType(clues.headers['content-type']);
	const own = [
		dispositionFileName(clues.headers['content-disposition']),
		nameInUrl(clues.url),
		clues.listedName,
	];
	const byId = `${safeFileName(clues.fileId) ?? 'file'}${extensionOf(stated ?? UNKNOWN_TYPE)}`;
	const found = own.map(safeFileName).find((name) => name !== undefined) ?? byId;
	const fileName = safeFileName(clues.wantedName) ?? found;
	const typeByName = typeOfName(fileName) ?? typeOfName(found);
	return { fileName, mimeType: stated ?? typeByName ?? UNKNOWN_TYPE };
}

/** The last part of the URL's path, where it has an extension. Without one it may be just an id of the storage. */
function nameInUrl(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const segment = lastSegment(new URL(url).pathname);
	const name = decoded(segment) ?? segment;
	return /\.[a-z0-9]{1,8}$/i.test(name) ? name : undefined;
}

function lastSegment(path: string): string {
	return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Bytes that a name may have. File systems take 255; some are left for programs that add to a name when they copy. */
const MAX_NAME_BYTES = 200;
/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con(?:in\$|out\$)?|prn|aux|nul|(?:com|lpt)[\d¹²³])(?=\s*(?:\.|$))/i;

/**
 * A name that every file system takes. It is the last path segment, without control characters, without characters that
 * turn the reading direction (they show `gpj.exe` as `exe.jpg`), and without characters that Windows refuses. Undefined
 * where nothing is left of it.
 */
export function safeFileName(name: string | undefined): string | undefined {
	const visible = lastSegment(name ?? '').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
	const plain = withoutTail(visible.replace(/[<>:"|?*]/g, '_').replace(/^[\s.]+/, ''));
	if (plain === '') return undefined;
	return shortened(plain.replace(DEVICE, '_$&'));
}

function shortened(name: string): string {
	if (byteLength(name) <= MAX_NAME_BYTES) return name;
	const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? '';
	let left = MAX_NAME_BYTES - byteLength(extension);
	let kept = '';
	for (const character of name) {
		left -= byteLength(character);
		if (left < 0) break;
		kept += character;
	}
	return withoutTail(kept) + extension;
}

/** The name without blanks and dots at its end, because Windows refuses these. */
function withoutTail(name: string): string {
	let end = name.length;
	while (/[\s.]/.test(name.charAt(end - 1))) end--;
	return name.slice(0, end);
}

function byteLength(text: string): number {
	return new TextEncoder().encode(text).length;
}

/** One parameter of the header: its name, and its value with or without quotes. */
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;

/**
 * The file name in a `Content-Disposition` header, as the sender wrote it, so it is not safe yet. `filename*` (RFC 5987)
 * counts before `filename` (RFC 6266, section 4.3). Undefined where neither can be read.
 */
export function dispositionFileName(header: string | undefined): string | undefined {
	// A header may leave the disposition's type out: then the first parameter stands where the type would.
	const parameters = Array.from(`;${header ?? ''}`.matchAll(PARAMETER));
	const valueOf = (wanted: string) => {
		const found = parameters.find(([, name]) => name?.toLowerCase() === wanted);
		return found?.[2]?.replace(/\\(.)/g, '$1') ?? found?.[3];
	};
	const names = [extendedText(valueOf('filename*')), utf8OfLatin1(valueOf('filename'))];
	return names.map((name) => name?.trim()).find(Boolean);
}

/**
 * Reads `charset'language'text`, with the two charsets of RFC 5987, section 3.2.1. Undefined for others, or where the
 * encoding is broken.
 */
function extendedText(value = ''): string | undefined {
	const encoded = value.replace(/^[^']*'[^']*'/, '');
	if (/^utf-8'/i.test(value)) return decoded(encoded);
	if (!/^iso-8859-1'/i.test(value)) return undefined;
	return encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
		String.fromCharCode(Number.parseInt(hex, 16)),
	);
}

/** Repairs a name that was sent as UTF-8, against the rules: Node makes a character of each byte of a header. */
function utf8OfLatin1(text: string | undefined): string | undefined {
	if (text === undefined || /[^\0-\xff]/.test(text)) return text;
	const encoded = text.replace(/[%\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
	return decoded(encoded) ?? text;
}

/** A percent-encoded text (UTF-8); undefined where the encoding is broken. */
function decoded(encoded: string): string | undefined {
	try {
		return decodeURIComponent(encoded);
	} catch {
		return undefined;
	}
}

/**
 * Media types of the six kinds of file (File of docs/service.openapi.yaml) with their extensions, the usual one first.
 * They are needed where a storage gives no type or no name.
 */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
	'image/jpeg': ['.jpg', '.jpeg'],
	'image/png': ['.png'],
	'image/gif': ['.gif'],
	'image/webp': ['.webp'],
	'image/heic': ['.heic'],
	'image/heif': ['.heif'],
	'image/bmp': ['.bmp'],
	'image/tiff': ['.tiff', '.tif'],
	'image/svg+xml': ['.svg'],
	'video/mp4': ['.mp4', '.m4v'],
	'video/quicktime': ['.mov'],
	'video/webm': ['.webm'],
	'video/3gpp': ['.3gp'],
	'video/x-msvideo': ['.avi'],
	'audio/mpeg': ['.mp3'],
	'audio/mp4': ['.m4a'],
	'audio/aac': ['.aac'],
	'audio/wav': ['.wav'],
	'audio/ogg': ['.ogg'],
	'application/pdf': ['.pdf'],
	'application/zip': ['.zip'],
	'application/json': ['.json'],
	'application/msword': ['.doc'],
	'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
	'application/vnd.ms-excel': ['.xls'],
	'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
	'application/vnd.ms-powerpoint': ['.ppt'],
	'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['.pptx'],
	'text/plain': ['.txt'],
	'text/csv': ['.csv'],
	'text/html': ['.html', '.htm'],
	'text/xml': ['.xml'],
};

/** The type of a file whose type nobody knows. */
const UNKNOWN_TYPE = 'application/octet-stream';
const UNKNOWN_TYPES = new Set([
	UNKNOWN_TYPE,
	'binary/octet-stream',
	'application/binary',
	'application/unknown',
	'application/x-download',
	'application/force-download',
]);

const TYPES = new Map(
	Object.entries(EXTENSIONS).flatMap(([type, extensions]) =>
		extensions.map((extension) => [extension, type]),
	),
);

/** A media type: type, slash, subtype (RFC 9110, section 8.3.1). Parameters may follow. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?=\s*(?:;|$))/;

/**
 * The type in a `Content-Type` header, in lower case and without parameters. Undefined where the header says nothing of
 * use: storages send `application/octet-stream` for a file that was uploaded without a type.
 */
export function statedType(header: string | undefined): string | undefined {
	const [type] = header?.toLowerCase().match(MEDIA_TYPE) ?? [];
	return type === undefined || UNKNOWN_TYPES.has(type) ? undefined : type;
}

/** The type that belongs to the extension of a file's name; undefined where the extension is not in the list. */
function typeOfName(fileName: string): string | undefined {
	return TYPES.get(fileName.slice(fileName.lastIndexOf('.')).toLowerCase());
}

/** The usual extension of a type, with its dot; '' for types not known here. */
function extensionOf(type: string): string {
	return EXTENSIONS[type]?.[0] ?? '';
}

/**
 * The names, each different from all others, in the same order: the second `IMG_0001.jpg` becomes `IMG_0001 (2).jpg`. A
 * name that stands for the first time stays as it is. Names that differ in upper and lower case only, or in their
 * Unicode form, count as the same, because Windows and macOS keep one file for them.
 */
export function uniqueFileNames(names: readonly string[]): string[] {
	const given = new Set(names.map(comparedName));
	const used = new Set<string>();
	/** For each name that came again: the number to go on with. */
	const nextNumbers = new Map<string, number>();
	return names.map((name) => {
		const compared = comparedName(name);
		let unique = name;
		if (used.has(compared)) {
			let number = nextNumbers.get(compared) ?? 2;
			do unique = numbered(name, number++);
			while (given.has(comparedName(unique)) || used.has(comparedName(unique)));
			nextNumbers.set(compared, number);
		}
		used.add(comparedName(unique));
		return unique;
	});
}

function comparedName(name: string): string {
	return composedText(name).toLowerCase();
}

/** Where the name has an extension, the number stands before it. */
function numbered(name: string, number: number): string {
	const dot = name.lastIndexOf('.');
	const end = dot > 0 ? dot : name.length;
	return `${name.slice(0, end)} (${String(number)})${name.slice(end)}`;
}
