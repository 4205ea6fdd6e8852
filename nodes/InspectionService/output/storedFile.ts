import type { IBinaryData, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { describeFile } from '../domain/file/fileName';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

export type DownloadContext = IExecuteFunctions | IPollFunctions;

/** Which file to download, and the names that it may get. */
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
 * Streams a file into n8n's binary store. The whole file is in memory only where n8n keeps that store in memory. Throws
 * NodeApiError where the file cannot be downloaded completely.
 */
export async function storeFile(
	context: DownloadContext,
	service: InspectionServiceClient,
	{ inspectionId, fileId, wantedName, listedName }: FileOrder,
): Promise<DownloadedFile> {
	return await service.download({ inspectionId, fileId }, async ({ body, headers, url }) => {
		const { fileName, mimeType } = describeFile({ wantedName, listedName, fileId, url, headers });
		// With a name given, n8n does not write the signed URL into the execution data.
		const binary = await context.helpers.prepareBinaryData(body, fileName, mimeType);
		const bytes = await storedBytes(context, binary);
		return { taken: { binary, bytes, url }, bytes };
	});
}

/** The file's size. n8n 1.85 does not give `bytes`: there it comes from the store, or from the file itself as base64. */
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
