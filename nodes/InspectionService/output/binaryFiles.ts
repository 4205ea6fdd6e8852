import type { IBinaryData, IBinaryKeyData, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { describeFile, uniqueFileNames } from '../domain/file/fileName';
import { type JsonRecord, recordsOf, textOf } from '../domain/json';
import { RequestFailure } from '../domain/request/requestFailure';
import { fileKind, listedName } from '../domain/row/fileRecords';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

type DownloadContext = IExecuteFunctions | IPollFunctions;

/** Which file to download, and the names that it may get. */
interface FileOrder {
	inspectionId: string;
	fileId: string;
	/** The name that the user wants instead of the file's own. */
	wantedName?: string;
	/** The name in the inspection's file object. */
	listedName?: string;
	/** How large it may be, in MB. */
	maxSize: number;
}

/** A file in n8n's binary store. */
interface DownloadedFile {
	binary: IBinaryData;
	/** Its size. */
	bytes: number;
	/** The signed address that it came from. */
	url: string;
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
export function fileFacts(binary: IBinaryData, bytes: number) {
	return { file_name: binary.fileName ?? null, mime_type: binary.mimeType, bytes };
}

/**
 * Downloads all files of an inspection that was asked for with its `files`: the first as `file_0`, the second as
 * `file_1`, … The result's `files` lists them in the same order, with `id` and `kind` (null where the service does not
 * say), then `binary_property`, `file_name`, `mime_type` and `bytes`, or `error`. No two of them have the same name. A file
 * that cannot be downloaded does not stop the others. `timeLimit` gives the error of a file where the caller's time is
 * over, such as that of a poll. It is not asked where a response has refused the file.
 */
export async function storeInspectionFiles(
	context: DownloadContext,
	service: InspectionServiceClient,
	inspection: JsonRecord,
	{ maxSize, timeLimit }: { maxSize: number; timeLimit?: () => string | undefined },
): Promise<{ binary: IBinaryKeyData; files: JsonRecord[] }> {
	const inspectionId = textOf(inspection.id) ?? '';
	const results = await Promise.all(
		recordsOf(inspection.files).map(async (file, index): Promise<FileResult> => {
			const about = { id: textOf(file.id) ?? null, kind: fileKind(file) };
			try {
				const fileId = textOf(file.id) ?? '';
				const order = { inspectionId, fileId, listedName: listedName(file), maxSize };
				const { binary, bytes } = await storeFile(context, service, order);
				return { about, property: `file_${String(index)}`, binary, bytes };
			} catch (error) {
				const limit = isRefusal(error) ? undefined : timeLimit?.();
				return { about, error: limit ?? reasonOf(error) };
			}
		}),
	);
	const named = withUniqueNames(results);
	const stored = named.flatMap((result) => ('binary' in result ? [result] : []));
	return {
		binary: Object.fromEntries(stored.map(({ property, binary }) => [property, binary])),
		files: named.map(fileEntry),
	};
}

interface StoredResult {
	about: JsonRecord;
	property: string;
	binary: IBinaryData;
	bytes: number;
}
/** What became of one file. */
type FileResult = StoredResult | { about: JsonRecord; error: string };

/** Gives each stored file of the inspection a name of its own: a phone calls every photo `image.jpg`. */
function withUniqueNames(results: readonly FileResult[]): FileResult[] {
	const stored = results.flatMap((result) => ('binary' in result ? [result] : []));
	const names = uniqueFileNames(stored.map(({ binary, property }) => binary.fileName ?? property));
	const nameByProperty = new Map(stored.map(({ property }, index) => [property, names[index]]));
	return results.map((result) => {
		if (!('binary' in result)) return result;
		const fileName = nameByProperty.get(result.property);
		return { ...result, binary: { ...result.binary, fileName } };
	});
}

function fileEntry(result: FileResult): JsonRecord {
	if ('error' in result) return { ...result.about, error: result.error };
	const { about, property, binary, bytes } = result;
	return { ...about, binary_property: property, ...fileFacts(binary, bytes) };
}

/** Whether a response with an error status has ended the download. Otherwise `httpCode` is no number, or missing. */
function isRefusal(error: unknown): boolean {
	return error instanceof RequestFailure && /^\d+$/.test(error.facts.httpCode ?? '');
}

function reasonOf(error: unknown): string {
	if (error instanceof RequestFailure) return `${error.message}. ${error.facts.description}`;
	return error instanceof Error ? error.message : String(error);
}
