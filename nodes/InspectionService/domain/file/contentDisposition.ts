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
	if (/^utf-8'/i.test(value)) return decodedUtf8(encoded);
	if (!/^iso-8859-1'/i.test(value)) return undefined;
	return encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
		String.fromCharCode(Number.parseInt(hex, 16)),
	);
}

/** Repairs a name that was sent as UTF-8, against the rules: Node makes a character of each byte of a header. */
function utf8OfLatin1(text: string | undefined): string | undefined {
	if (text === undefined || /[^\0-\xff]/.test(text)) return text;
	const encoded = text.replace(/[%\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
	return decodedUtf8(encoded) ?? text;
}

function decodedUtf8(encoded: string): string | undefined {
	try {
		return decodeURIComponent(encoded);
	} catch {
		return undefined;
	}
}
