import { guidOf, idKey } from '../id';
import { textOf } from '../json';
import { composedText, percentDecoded } from '../normalizeText';
import { contentOf, EXTENSION, extensionOf, hasSignature, typeOfName } from './fileType';

/** The name and kind of a file, as listed in its inspection. */
export interface ListedFile {
	readonly listedName?: string | undefined;
	/** The kind, such as `image`. Null or undefined if it's unknown. */
	readonly kind?: string | null | undefined;
}

/** What is known about a file when its download begins. */
interface FileClues extends ListedFile {
	readonly url: string;
	/** The response headers. Their names are in lowercase. */
	readonly headers: Readonly<Record<string, unknown>>;
	/** The beginning of the file. */
	readonly firstBytes: Uint8Array;
}

/**
 * Returns the name and media type of a downloaded file. The name is the first of these that exists: the user's choice,
 * `Content-Disposition`, the URL (only a name with an extension), the inspection, the file's ID. A name that is only an
 * ID is used if there is no other name. Names that lost characters come last.
 * The type is that of the first bytes, else of the name, else of `Content-Type`. If a name has no known extension, it
 * gets the one of the type.
 */
export function describeFile(clues: FileClues & { wantedName?: string; fileId: string }): {
	fileName: string;
	mimeType: string;
} {
	const { fileId, headers } = clues;
	const names = namesOf(clues);
	const readable = names.filter((name) => !LOST_LETTERS.test(name));
	const own = [...readable, ...names].flatMap((name) => safeFileName(name) ?? []);
	const wanted = safeFileName(clues.wantedName);
	const content = contentOf(clues.firstBytes);
	const [byName = typeOfName(wanted ?? '')] = typesOf(names);
	const exact = content?.isContainer === false ? content.type : byName;
	// Always set a type, because n8n uses text/plain for a file with an unknown extension.
	const mimeType =
		exact ?? statedType(textOf(headers['content-type'])) ?? content?.type ?? UNKNOWN_TYPE;
	if (wanted !== undefined) return { fileName: wanted, mimeType };
	const extension = extensionOf(mimeType);
	const name = own.find((one) => !isIdOnly(one, fileId)) ?? own[0];
	if (name === undefined) {
		return { fileName: `${safeFileName(fileId) ?? 'file'}${extension ?? '.bin'}`, mimeType };
	}
	return { fileName: typeOfName(name) === undefined ? name + (extension ?? '') : name, mimeType };
}

/** Returns the names of a file: in the header, in the URL, and in its inspection. Empty text for a missing name. */
function namesOf({ headers, url, listedName = '' }: FileClues): string[] {
	const inHeader = dispositionFileName(textOf(headers['content-disposition'])) ?? '';
	return [lastSegment(inHeader), lastSegment(nameInUrl(url)), listedName];
}

/** Returns the media types of a file's names. That of its inspection comes first. */
function typesOf(names: readonly string[]): string[] {
	return [...names.slice(-1), ...names].flatMap((name) => typeOfName(name) ?? []);
}

/** Whether a name is only an ID, with or without an extension. The storage can name files by IDs of its own. */
function isIdOnly(name: string, fileId: string): boolean {
	const stem = name.replace(EXTENSION, '');
	return guidOf(stem) !== undefined || [name, stem].some((one) => idKey(one) === idKey(fileId));
}

/**
 * Matches names in which a program replaced letters with question marks (`????.jpg`, `H??user.jpg`, `Fl?che.jpg`) or
 * with the codes of emails (`=?UTF-8?B?R3LDtsOfZS5qcGc=?=`, RFC 2047). Only the end of a code is left if it has a slash.
 */
const LOST_LETTERS = /\ufffd|\?\?|^\?+\.|\p{L}\?\p{L}|^=\?|\?=$/u;

/**
 * Returns the last part of the path of a URL if this part has an extension, otherwise empty text. A part without an
 * extension might be an ID of the storage.
 */
function nameInUrl(url: string): string {
	const segment = lastSegment(URL.canParse(url) ? new URL(url).pathname : '');
	const name = percentDecoded(segment) ?? segment;
	return EXTENSION.test(name) ? name : '';
}

function lastSegment(path: string): string {
	return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Maximum bytes of a file name. File systems allow 255, and some programs make names longer when they copy a file. */
const MAX_NAME_BYTES = 200;
const DEVICE = /^(?:con(?:in\$|out\$)?|prn|aux|nul|(?:com|lpt)[\d¹²³])(?=\s*(?:\.|$))/i;

/**
 * Returns a name that every file system accepts. Removes invisible characters, because they can make `gpj.exe` look
 * like `exe.jpg`. Undefined if nothing is left.
 */
export function safeFileName(name: string | undefined): string | undefined {
	const visible = (name ?? '').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
	const plain = withoutTail(visible.replace(/^[\s./\\]+/, '').replace(/[<>:"|?*/\\]/g, '_'));
	if (plain === '') return undefined;
	const safe = plain.replace(DEVICE, '_$&');
	const extension = /\.[^.]{1,20}$/.exec(safe)?.[0] ?? '';
	const stem = safe.slice(0, safe.length - extension.length);
	const room = MAX_NAME_BYTES - new TextEncoder().encode(extension).length;
	const { read } = new TextEncoder().encodeInto(stem, new Uint8Array(room));
	return (read < stem.length ? withoutTail(stem.slice(0, read)) : stem) + extension;
}

/** Removes spaces and periods from the end of a name, because Windows rejects them there. */
function withoutTail(name: string): string {
	let end = name.length;
	while (/[\s.]/.test(name.charAt(end - 1))) end--;
	return name.slice(0, end);
}

const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;

/**
 * Returns the file name in a `Content-Disposition` header. The name can contain characters that file systems reject.
 * Prefers `filename*` (RFC 5987, in UTF-8) to `filename`. In `filename`, decodes percent-encoding. The standard (RFC
 * 6266) doesn't allow that, but many storages send it.
 */
export function dispositionFileName(header: string | undefined): string | undefined {
	// Add a semicolon, because some headers omit the disposition type (`attachment`) and begin with a parameter.
	const parameters = Array.from(`;${header ?? ''}`.matchAll(PARAMETER));
	const valueOf = (wanted: string) => {
		const found = parameters.find(([, name]) => name?.toLowerCase() === wanted);
		return found?.[2]?.replace(/\\(.)/g, '$1') ?? found?.[3];
	};
	const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(valueOf('filename*') ?? '') ?? [];
	const plain = utf8OfLatin1(valueOf('filename') ?? '');
	const names = [percentDecoded(encoded ?? ''), percentDecoded(plain) ?? plain];
	return names.map((name) => name?.trim()).find(Boolean);
}

/**
 * Repairs a name that a storage sent in UTF-8, although HTTP headers don't allow UTF-8. Node converts each byte of a
 * header to one character.
 */
function utf8OfLatin1(text: string): string {
	if (/[^\0-\xff]/.test(text)) return text;
	const encoded = text.replace(/[%\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
	return percentDecoded(encoded) ?? text;
}

const UNKNOWN_TYPE = 'application/octet-stream';

const GENERIC_TYPE = /\/(?:octet-stream|binary|unknown|x-download|force-download)$/;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?=\s*(?:;|$))/;

/**
 * Returns the media type in a `Content-Type` header, in lowercase and without parameters. Undefined if the type is
 * generic.
 */
export function statedType(header: string | undefined): string | undefined {
	const [type] = header?.toLowerCase().match(MEDIA_TYPE) ?? [];
	return type === undefined || GENERIC_TYPE.test(type) ? undefined : type;
}

/**
 * Returns what the storage sent instead of the file, for an error message. Undefined if it sent the file. Decides by the
 * first bytes. Only if these are of an unknown format, decides by the name, then by the media type of the response.
 * - A web page is probably a sign-in page, unless a name shows that the file itself is a web page.
 * - JSON or XML is probably an error of the storage, if the kind or the name of the file shows a photo, video,
 *   recording, or PDF.
 */
export function replacementOf(clues: FileClues): string | undefined {
	const { headers, kind, firstBytes } = clues;
	const named = typesOf(namesOf(clues));
	// A name tells nothing if files of its type begin with a signature, because this file begins with none.
	const byName = named.find((type) => !hasSignature(type));
	const stated = statedType(textOf(headers['content-type']));
	const type = contentOf(firstBytes)?.type ?? byName ?? stated ?? '';
	if (named.includes(type)) return undefined;
	const isMedia = MEDIA_KINDS.has(kind?.toLowerCase() ?? '') || named.some(hasSignature);
	if (type === 'text/html') {
		const isSentAsFile = textOf(headers['content-disposition']) !== undefined && !isMedia;
		return isSentAsFile ? undefined : 'a web page';
	}
	const isError = DOCUMENT_TYPE.test(type) && isMedia && !named.includes('image/svg+xml');
	return isError ? `an error document (${type})` : undefined;
}

/** Matches the types of JSON and XML. Doesn't match images in XML (`image/svg+xml`). */
const DOCUMENT_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?(?:json|xml)$/;
/** The kinds of files that are an image, a video, or audio (`File` in docs/service.openapi.yaml). */
const MEDIA_KINDS = new Set(['image', 'video', 'audio', 'signature', 'instacount']);

/**
 * Makes file names unique: if there are two `IMG_0001.jpg`, the last one becomes `IMG_0001 (2).jpg`. Names that differ
 * only in case or Unicode form count as equal, because Windows and macOS keep only one file for them.
 */
export function uniqueFileNames(names: readonly string[]): string[] {
	const comparedName = (name: string) => composedText(name).toLowerCase();
	const given = new Set(names.map(comparedName));
	/** For each used name, the next number to try. */
	const nextNumbers = new Map<string, number>();
	return names.map((name) => {
		const dot = name.lastIndexOf('.');
		const end = dot > 0 ? dot : name.length;
		let unique = name;
		let number = nextNumbers.get(comparedName(name)) ?? 1;
		const isTaken = () => nextNumbers.has(comparedName(unique)) || given.has(comparedName(unique));
		while (number > 1 && isTaken()) {
			unique = `${name.slice(0, end)} (${String(number)})${name.slice(end)}`;
			number += 1;
		}
		nextNumbers.set(comparedName(unique), 2);
		nextNumbers.set(comparedName(name), Math.max(2, number));
		return unique;
	});
}
