import { dispositionFileName } from './contentDisposition';
import { extensionOf, statedType, typeOfName, UNKNOWN_TYPE } from './mediaType';

/** What is known of a file before its bytes are looked at. */
export interface FileClues {
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
	const name = decoded(lastSegment(new URL(url).pathname));
	return /\.[a-z0-9]{1,8}$/i.test(name) ? name : undefined;
}

function lastSegment(path: string): string {
	return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
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
