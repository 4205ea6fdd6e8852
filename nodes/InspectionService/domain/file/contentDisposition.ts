/** A parameter: its name, and its value in quotes or without. */
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;
const EXTENDED = /^([\w!#$%&+^`{}~-]+)'[^']*'([^;"\s]+)/;

/**
 * The file name in a `Content-Disposition` header, as the sender wrote it (not yet safe): `filename*` (RFC 5987)
 * before `filename` (RFC 6266, section 4.3). Undefined where there is none that can be read.
 */
export function dispositionFileName(header: string | undefined): string | undefined {
	// A header may leave the disposition's type out: then the first parameter stands where the type would.
	const parameters = Array.from(`;${header ?? ''}`.matchAll(PARAMETER));
	const valueOf = (name: string) => {
		const [, , quoted, plain] = parameters.find(([, found]) => found?.toLowerCase() === name) ?? [];
		return quoted?.replace(/\\(.)/g, '$1') ?? plain;
	};
	const [, charset = '', encoded = ''] = EXTENDED.exec(valueOf('filename*') ?? '') ?? [];
	const name = extendedText(charset, encoded) ?? utf8OfLatin1(valueOf('filename'));
	return name === undefined || name.trim() === '' ? undefined : name.trim();
}

/** The two charsets that RFC 5987, section 3.2.1, asks for; undefined for others and for broken encodings. */
function extendedText(charset: string, encoded: string): string | undefined {
	switch (charset.toLowerCase()) {
		case 'utf-8':
			return decodedUtf8(encoded);
		case 'iso-8859-1':
			return encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
				String.fromCharCode(Number.parseInt(hex, 16)),
			);
		default:
			return undefined;
	}
}

/** Node reads headers byte by byte: a name that was sent as UTF-8 against the rules is put together again. */
function utf8OfLatin1(text: string | undefined): string | undefined {
	if (text === undefined || /[^\0-\xff]/.test(text)) return text;
	const bytes = Array.from(text, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
	return decodedUtf8(bytes.join('')) ?? text;
}

function decodedUtf8(encoded: string): string | undefined {
	try {
		return decodeURIComponent(encoded);
	} catch {
		return undefined;
	}
}
