import { FILE_KINDS, type FileKind } from '../fileKind';
import { InputError } from '../inputError';
import { type JsonRecord, recordsOf, textOf } from '../json';
import type { ListedFile } from './fileName';

/**
 * Returns the files of an inspection. If `kinds` isn't empty, returns only files of these kinds, and files whose kind
 * is unknown. The API doesn't document the field for the kind, so the service might not send it.
 */
export function filesOf(inspection: JsonRecord, kinds: readonly FileKind[] = []): JsonRecord[] {
	const files = recordsOf(inspection.files);
	if (!isPartOfKinds(kinds)) return files;
	const wanted = new Set<string>(kinds);
	return files.filter((file) => {
		const kind = fileKind(file)?.toLowerCase();
		return kind === undefined || wanted.has(kind);
	});
}

/** Returns how many files pass the option File Kinds only because their kind is unknown. */
export function countOfUnknownKind(inspection: JsonRecord, kinds: readonly FileKind[]): number {
	if (!isPartOfKinds(kinds)) return 0;
	return recordsOf(inspection.files).filter((file) => fileKind(file) === null).length;
}

function isPartOfKinds(kinds: readonly FileKind[]): boolean {
	return kinds.length > 0 && FILE_KINDS.some((kind) => !kinds.includes(kind));
}

export function fileRecordsOf(
	inspection: JsonRecord,
	kinds: readonly FileKind[] = [],
): JsonRecord[] {
	return filesOf(inspection, kinds).map((file) => ({
		inspection_id: inspection.id ?? null,
		inspection_name: inspection.name ?? null,
		file_id: textOf(file.id) ?? null,
		name: listedName(file) ?? null,
		type: fileKind(file),
		file,
	}));
}

/**
 * Returns the name of a file in an inspection. The API doesn't document the field (`File` in docs/service.openapi.yaml),
 * so two common names are tried.
 */
export function listedName(file: Readonly<Record<string, unknown>>): string | undefined {
	return textOf(file.name) ?? textOf(file.file_name);
}

/**
 * Returns the kind of a file, such as `image`. Null if the service doesn't send the kind. The API doesn't document the
 * field, so two common names are tried.
 */
export function fileKind(file: Readonly<Record<string, unknown>>): string | null {
	return textOf(file.kind) ?? textOf(file.type) ?? null;
}

/**
 * Returns the name and kind of a file from an input item. The item is the file itself (Get Many with Output set to
 * Files), or an inspection with `files`.
 */
export function fileInItem(json: Readonly<Record<string, unknown>>, fileId: string): ListedFile {
	const isTheFile = ({ file_id, id }: Readonly<Record<string, unknown>>) =>
		[file_id, id].some((own) => textOf(own)?.toLowerCase() === fileId.toLowerCase());
	const file = [json, ...recordsOf(json.files)].find(isTheFile) ?? {};
	return { listedName: listedName(file), kind: fileKind(file) };
}

/**
 * Returns the origin of a download URL. Leaves out the path and query string, because they contain the signature.
 * Throws InputError for schemes other than http and https, such as `javascript:`, because people or programs might open
 * the URL. Also throws if the URL contains a user name or password, because such a URL can look as if it leads to
 * another host.
 */
export function storageOrigin(url: string): string {
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
	if (isWeb && parsed.username === '' && parsed.password === '') return parsed.origin;
	const address = isWeb ? parsed.origin : parsed?.protocol;
	const leads = address === undefined ? '' : ` It leads to ${address}.`;
	throw new InputError(
		`The download URL from the service is not a web address (http or https, without a user name or password), so it isn't used.${leads} Ask the service administrator`,
	);
}
