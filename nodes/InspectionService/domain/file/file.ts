import { InputError } from '../inputError';
import { type JsonRecord, recordsOf, textOf } from '../json';
import type { ListedFile } from './fileName';

export function fileRecordsOf(inspection: JsonRecord): JsonRecord[] {
	return recordsOf(inspection.files).map((file) => ({
		inspection_id: inspection.id ?? null,
		inspection_name: inspection.name ?? null,
		file_id: textOf(file.id) ?? null,
		name: listedName(file) ?? null,
		type: fileKind(file),
		file,
	}));
}

/** The name of a file. Both names of its field are assumed (File of docs/service.openapi.yaml). */
export function listedName(file: Readonly<Record<string, unknown>>): string | undefined {
	return textOf(file.name) ?? textOf(file.file_name);
}

/** The kind of a file, such as image; null where the service does not say. Both names of its field are assumed, too. */
export function fileKind(file: Readonly<Record<string, unknown>>): string | null {
	return textOf(file.kind) ?? textOf(file.type) ?? null;
}

/** What an input item says of a file: it is the file itself (Get Many's output Files), or an inspection with its `files`. */
export function fileInItem(json: Readonly<Record<string, unknown>>, fileId: string): ListedFile {
	const isTheFile = ({ file_id, id }: Readonly<Record<string, unknown>>) =>
		[file_id, id].some((own) => textOf(own)?.toLowerCase() === fileId.toLowerCase());
	const file = [json, ...recordsOf(json.files)].find(isTheFile) ?? {};
	return { listedName: listedName(file), kind: fileKind(file) };
}

/**
 * The address of a file's storage without path and query string, which hold the signature. Throws InputError for a URL
 * that is no web address (`file:`, `javascript:`), because it would be opened or clicked elsewhere, and for one with a
 * user name or password, because it shows another host than it leads to.
 */
export function storageOrigin(url: string): string {
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
		const scheme = parsed === undefined ? '' : ` It begins with "${parsed.protocol}".`;
		throw new InputError(
			`The download URL that the service gave is not a web address (http or https), so it is not used.${scheme}`,
		);
	}
	if (parsed.username !== '' || parsed.password !== '') {
		throw new InputError(
			`The download URL that the service gave holds a user name or password, so it is not used. It leads to ${parsed.origin}`,
		);
	}
	return parsed.origin;
}

/** The server of a signed URL that is not encrypted (http), although the service is; undefined for any other URL. */
export function unencryptedOrigin(baseUrl: string, url: string): string | undefined {
	if (!baseUrl.startsWith('https:') || !URL.canParse(url)) return undefined;
	const { protocol, origin } = new URL(url);
	return protocol === 'http:' ? origin : undefined;
}
