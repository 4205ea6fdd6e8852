import {
	type IBinaryData,
	type IBinaryKeyData,
	type IExecuteFunctions,
	type IPollFunctions,
	NodeApiError,
} from 'n8n-workflow';

import { describeFile } from '../domain/file/fileName';
import { type JsonRecord, recordsOf, textOf } from '../domain/json';
import { fileKind, listedName } from '../domain/row/fileRecords';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

type DownloadContext = IExecuteFunctions | IPollFunctions;

/** Which file to download, and what may name it. */
export interface FileOrder {
	inspectionId: string;
	fileId: string;
	/** The name that the user wants instead of the file's own. */
	wantedName?: string;
	/** The name in the inspection's file object. */
	listedName?: string;
}

/** A file in n8n's binary store. */
export interface DownloadedFile {
	binary: IBinaryData;
	/** Its size. */
	bytes: number;
	/** The signed address that it came from. */
	url: string;
}

/**
 * Streams a file into n8n's binary store; only a store that n8n keeps in memory holds it there whole. Throws
 * NodeApiError where it cannot be had whole.
 */
export async function downloadFile(
	context: DownloadContext,
	service: InspectionServiceClient,
	{ inspectionId, fileId, wantedName, listedName }: FileOrder,
): Promise<DownloadedFile> {
	return await service.downloadFile({ inspectionId, fileId }, async ({ body, headers, url }) => {
		const { fileName, mimeType } = describeFile({ wantedName, listedName, fileId, url, headers });
		// With a name given, n8n does not write the signed URL into the execution data.
		const binary = await context.helpers.prepareBinaryData(body, fileName, mimeType);
		const bytes = await storedBytes(context, binary);
		return { taken: { binary, bytes, url }, bytes };
	});
}

/** n8n 1.85 has no `bytes` yet: there the size is in the store's own record, or the file in the item as base64. */
async function storedBytes(context: DownloadContext, binary: IBinaryData): Promise<number> {
	if (binary.bytes !== undefined) return binary.bytes;
	if (binary.id !== undefined) return (await context.helpers.getBinaryMetadata(binary.id)).fileSize;
	const padding = /=*$/.exec(binary.data)?.[0].length ?? 0;
	return (binary.data.length / 4) * 3 - padding;
}

/**
 * All files of an inspection that was asked for with its `files`: the first as `file_0`, the second as `file_1`, …
 * `files` says what became of each, in their order: `id`, `kind` (null where the service does not say), then
 * `binary_property`, `file_name`, `mime_type` and `bytes`, or `error`. A lost file costs only itself. `timeLimit`: asked
 * for each file that was lost without anybody's refusal; the reason where the caller's time is over.
 */
export async function downloadInspectionFiles(
	context: DownloadContext,
	service: InspectionServiceClient,
	inspection: JsonRecord,
	timeLimit?: () => string | undefined,
): Promise<{ binary: IBinaryKeyData; files: JsonRecord[] }> {
	const inspectionId = textOf(inspection.id) ?? '';
	const results = await Promise.all(
		recordsOf(inspection.files).map(async (file, index) => {
			const property = `file_${index}`;
			const about = { id: textOf(file.id) ?? null, kind: fileKind(file) };
			try {
				const { binary, bytes } = await downloadFile(context, service, {
					inspectionId,
					fileId: textOf(file.id) ?? '',
					listedName: listedName(file),
				});
				const facts = { binary_property: property, ...fileFacts(binary, bytes) };
				return { stored: { property, binary }, file: { ...about, ...facts } };
			} catch (error) {
				const limit = isRefusal(error) ? undefined : timeLimit?.();
				return { file: { ...about, error: limit ?? reasonOf(error) } };
			}
		}),
	);
	const binary: IBinaryKeyData = {};
	for (const { stored } of results)
		if (stored !== undefined) binary[stored.property] = stored.binary;
	return { binary, files: results.map(({ file }) => file) };
}

/** What is known of a stored file, under the names that items have it by. */
export function fileFacts(binary: IBinaryData, bytes: number) {
	return { file_name: binary.fileName ?? null, mime_type: binary.mimeType, bytes };
}

/** An answer with a status; without one, the code is the network's, or there is none. */
function isRefusal(error: unknown): boolean {
	return error instanceof NodeApiError && /^\d+$/.test(error.httpCode ?? '');
}

function reasonOf(error: unknown): string {
	if (error instanceof NodeApiError && error.description) {
		return `${error.message}. ${error.description}`;
	}
	return error instanceof Error ? error.message : String(error);
}
