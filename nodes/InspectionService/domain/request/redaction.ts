/** A shorter text is no key: taking it out everywhere would only garble responses. */
const MIN_SECRET_LENGTH = 8;
const PLACEHOLDER = '[API key]';
/** Spellings beside those by a character's number. */
const NAMED: Readonly<Record<string, string>> = {
	' ': '\\+',
	'"': '&quot;',
	'&': '&amp;',
	"'": '&apos;',
	'<': '&lt;',
	'>': '&gt;',
};

/**
 * A function that takes a secret out of text, as it stands or as JSON, JSON within JSON, URLs and HTML spell it. JSON
 * stays JSON. The secret counts without outer blanks, as it is sent.
 */
export function redactorOf(secret: string): (text: string) => string {
	const sent = secret.trim();
	if (sent.length < MIN_SECRET_LENGTH) return (text) => text;
	const spelled = new RegExp(Array.from(sent, spellingsOf).join(''), 'gi');
	// Escapes of other characters may stay: writing out those of a large page takes longer than reading it.
	const escaped = new RegExp(`\\\\u00(?:${Array.from(`${sent}%&\\`, hexOf).join('|')})`, 'i');
	return (text) => (escaped.test(text) ? unescaped(text) : text).replace(spelled, PLACEHOLDER);
}

/** A pattern for a character. Nobody has a reason to escape those that are plain everywhere, but see `unescaped`. */
function spellingsOf(character: string): string {
	if (/[\w.~-]/.test(character)) return character.replace('.', '\\.');
	const hex = hexOf(character);
	const inUrl = Array.from(
		new TextEncoder().encode(character),
		(byte) => `%(?:25)*${hexOf(String.fromCharCode(byte))}`,
	).join('');
	const inHtml = `&#(?:0*${Number.parseInt(hex, 16)}|x0*${hex});`;
	const plain = character.replace(/[^\p{L}\s]/u, '\\$&');
	const forms = [plain, `u${hex.padStart(4, '0')}`, inUrl, inHtml, NAMED[character] ?? inHtml];
	return `\\\\{0,4}(?:${forms.join('|')})`;
}

/** At least two digits. */
const hexOf = (character: string) => (character.codePointAt(0) ?? 0).toString(16).padStart(2, '0');

/** Writes out the escapes of JSON that ASCII does not need: some services escape `+`, `<` or `'`, and any may be. */
function unescaped(text: string): string {
	return text.replace(/\\(?:u00([2-7][\da-f])|[^])/gi, (escape: string, hex?: string) => {
		if (hex === undefined) return escape;
		const plain = String.fromCharCode(Number.parseInt(hex, 16));
		return plain.replace(/["\\]/, '\\$&');
	});
}
