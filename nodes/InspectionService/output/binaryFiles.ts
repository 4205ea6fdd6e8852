import type { IBinaryData, IBinaryKeyData, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { fileKind, listedName } from '../domain/file/file';
import { describeFile, uniqueFileNames } from '../domain/file/fileName';
import { type JsonRecord, recordsOf, textOf } from '../domain/json';
import { RequestFailure } from '../domain/request/requestFailure';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

type DownloadContext = IExecuteFunctions | IPollFunctions;

/** Which file to download, and the names that it may get: the one that the user wants goes before that of the list. */
interface FileOrder {
	inspectionId: string;
	fileId: string;
	wantedName?: string;
	listedName?: string;
	/** How large it may be, in MB. */
	maxSize: number;
}

/** A file in n8n's binary store. */
interface DownloadedFile {
	readonly binary: IBinaryData;
	readonly bytes: number;
	/** The signed address that it came from. */
	readonly url: string;
}

/**
 * Streams a file into n8n's binary store. The whole file is in memory only where n8n keeps that store in memory. Throws
 * RequestFailure where the file cannot be downloaded completely.
 */
export async function storeFile(
	context: DownloadContext,
	service: InspectionServiceClient,
	{ wantedName, listedName, inspectionId, fileId, maxSize }: FileOrder,
): Promise<DownloadedFile> {
	const asked = { inspectionId, fileId, maxBytes: maxSize * 1024 * 1024 };
	return await service.download(asked, async ({ body, headers, url }) => {
		const clues = { wantedName, listedName, fileId, url, headers };
		const { fileName, mimeType } = describeFile(clues);
		// With a name given, n8n does not write the signed URL into the execution data.
		const binary = await context.helpers.prepareBinaryData(body, fileName, mimeType);
		const bytes = await storedBytes(context, binary);
		return { taken: { binary, bytes, url }, bytes };
	});
}

/** The file's size. n8n 1.x does not give `bytes`: there it comes from the store, or from the file itself as base64. */
async function storedBytes(context: DownloadContext, binary: IBinaryData): Promise<number> {
	if (binary.bytes !== undefined) return binary.bytes;
	if (binary.id !== undefined) return (await context.helpers.getBinaryMetadata(binary.id)).fileSize;
	const padding = /=*$/.exec(binary.data)?.[0].length ?? 0;
	return (binary.data.length / 4) * 3 - padding;
}

/** The facts about a stored file, under the names that they have in items. */
export function fileFacts({ binary, bytes }: DownloadedFile) {
	return { file_name: binary.fileName ?? null, mime_type: binary.mimeType, bytes };
}

/** The files of an inspection: n8n's binary data, and what became of each file. */
export interface StoredFiles {
	readonly binary: IBinaryKeyData;
	readonly files: JsonRecord[];
}

/**
 * Downloads all files of an inspection that was asked for with its `files`: the first as `file_0`, the second as
 * `file_1`, … The result's `files` lists them in the same order, with `id` and `kind` (null where the service does not
 * say), then `binary_property`, `file_name`, `mime_type` and `bytes`, or `error`. A file that cannot be downloaded does
 * not stop the others. `timeLimit` gives its error where the caller's time is over, unless a response has refused it.
 */
export async function storeInspectionFiles(
	context: DownloadContext,
	service: InspectionServiceClient,
	inspection: JsonRecord,
	{ maxSize, timeLimit }: { maxSize: number; timeLimit?: () => string | undefined },
): Promise<StoredFiles> {
	const inspectionId = textOf(inspection.id) ?? '';
	const results = await Promise.all(
		recordsOf(inspection.files).map(async (file, index): Promise<FileResult> => {
			const about = { id: textOf(file.id) ?? null, kind: fileKind(file) };
			const fileId = textOf(file.id) ?? '';
			const order = { inspectionId, fileId, listedName: listedName(file), maxSize };
			try {
				const stored = await storeFile(context, service, order);
				return { about, property: `file_${index}`, stored };
			} catch (error) {
				const limit = isRefusal(error) ? undefined : timeLimit?.();
				return { about, property: `file_${index}`, error: limit ?? reasonOf(error) };
			}
		}),
	);
	nameApart(results);
	return {
		binary: Object.fromEntries(
			results.flatMap(({ property, stored }) => (stored ? [[property, stored.binary]] : [])),
		),
		files: results.map(({ about, property, stored, error = null }) => {
			if (stored === undefined) return { ...about, error };
			return { ...about, binary_property: property, ...fileFacts(stored) };
		}),
	};
}

/** What became of one file: it was stored, or there is an error. */
interface FileResult {
	readonly about: JsonRecord;
	readonly property: string;
	readonly stored?: DownloadedFile;
	readonly error?: string;
}

/** Gives each stored file of the inspection a name of its own: a phone calls every photo `image.jpg`. */
function nameApart(results: readonly FileResult[]): void {
	const stored = results.flatMap((result) => result.stored ?? []);
	const names = uniqueFileNames(stored.map(({ binary }) => binary.fileName ?? 'file'));
	stored.forEach(({ binary }, index) => (binary.fileName = names[index]));
}

/** Whether a response with an error status has ended the download. Otherwise `httpCode` is no number, or missing. */
function isRefusal(error: unknown): boolean {
	return error instanceof RequestFailure && /^\d+$/.test(error.facts.httpCode ?? '');
}

function reasonOf(error: unknown): string {
	if (error instanceof RequestFailure) return `${error.message}. ${error.facts.description}`;
	return error instanceof Error ? error.message : String(error);
}
