import { type IBinaryKeyData, NodeApiError } from 'n8n-workflow';

import { type JsonRecord, recordsOf, textOf } from '../domain/json';
import { fileKind, listedName } from '../domain/row/fileRecords';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { type DownloadContext, fileFacts, storeFile } from './storedFile';

/**
 * Downloads all files of an inspection that was asked for with its `files`: the first as `file_0`, the second as
 * `file_1`, … The result's `files` lists them in the same order, with `id` and `kind` (null where the service does not
 * say), then `binary_property`, `file_name`, `mime_type` and `bytes`, or `error`. A file that cannot be downloaded does
 * not stop the others. `timeLimit` gives the error of a file where the caller's time is over, such as that of a poll. It
 * is not asked where a response has refused the file.
 */
export async function storeInspectionFiles(
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
				const { binary, bytes } = await storeFile(context, service, {
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

/** Whether a response with an error status has ended the download. Otherwise `httpCode` is no number, or missing. */
function isRefusal(error: unknown): boolean {
	return error instanceof NodeApiError && /^\d+$/.test(String(error.httpCode));
}

function reasonOf(error: unknown): string {
	if (error instanceof NodeApiError && error.description) {
		return `${error.message}. ${error.description}`;
	}
	return error instanceof Error ? error.message : String(error);
}
