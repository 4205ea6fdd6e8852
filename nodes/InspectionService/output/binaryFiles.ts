import type { IBinaryData, IBinaryKeyData, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import type { TemplateCache } from '../cache/templateCache';
import type { TemplateFailures } from '../cache/templateFailures';
import { fileKind, filesOf, listedName } from '../domain/file/file';
import { describeFile, type ListedFile, uniqueFileNames } from '../domain/file/fileName';
import { type JsonRecord, textOf } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import type { Notices } from '../domain/notices';
import { RequestFailure } from '../domain/request/requestFailure';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { countFileBytes } from './filesInMemory';
import type { OutputChoice } from './outputChoice';

/** Dependencies for reading inspections and downloading their files. */
export interface OutputContext {
	readonly context: IExecuteFunctions | IPollFunctions;
	readonly service: InspectionServiceClient;
	readonly templates: TemplateCache;
	/** Set for a poll, which must go on if a template can't be read or used. */
	readonly templateFailures?: TemplateFailures;
	/** Receives a sentence for each failed file. */
	readonly notices: Notices;
	/**
	 * Returns undefined while there is time left. Then returns a sentence for files that weren't downloaded in time.
	 */
	readonly timeLimit?: () => string | undefined;
}

/**
 * Streams a file into n8n's binary store. The user's file name takes precedence over the listed name. Throws
 * RequestFailure if the file can't be downloaded completely, and InputError if n8n's memory is too small for it.
 */
export async function storeFile(
	context: OutputContext['context'],
	service: InspectionServiceClient,
	order: { inspectionId: string; fileId: string; wantedName?: string } & ListedFile,
) {
	const count = (bytes: number) => countFileBytes(context, bytes);
	return await service.download({ ...order, count }, async ({ body, ...sent }) => {
		const { fileName, mimeType } = describeFile({ ...order, ...sent });
		// If a name is given, n8n doesn't write the signed URL into the execution data.
		const binary = await context.helpers.prepareBinaryData(body, fileName, mimeType);
		const bytes = await storedBytes(context, binary);
		return { value: { binary, bytes, url: sent.url }, bytes };
	});
}

/** Returns the file's size. n8n 1.x doesn't set `bytes`, so the size comes from the store or from the base64 data. */
async function storedBytes(
	context: OutputContext['context'],
	binary: IBinaryData,
): Promise<number> {
	if (binary.bytes !== undefined) return binary.bytes;
	if (binary.id !== undefined) return (await context.helpers.getBinaryMetadata(binary.id)).fileSize;
	const padding = /={0,2}$/.exec(binary.data)?.[0].length ?? 0;
	return (binary.data.length / 4) * 3 - padding;
}

export function fileFacts({ binary, bytes }: { binary: IBinaryData; bytes: number }) {
	return { file_name: binary.fileName ?? null, mime_type: binary.mimeType, bytes };
}

export interface StoredFiles {
	readonly binary: IBinaryKeyData;
	readonly files: JsonRecord[];
}

/**
 * Downloads the files of an inspection as `file_0`, `file_1`, and so on. `files` lists them in the same order, each
 * with its facts or with `error`. Failed files are reported and don't stop the rest.
 */
export async function storeInspectionFiles(
	inspection: InspectionRecord,
	{ fileKinds }: Pick<OutputChoice, 'fileKinds'>,
	{ context, service, notices, timeLimit }: OutputContext,
): Promise<StoredFiles> {
	const results = await Promise.all(
		filesOf(inspection, fileKinds).map(async (file) => {
			const about = { id: textOf(file.id) ?? null, kind: fileKind(file) };
			try {
				return { about, stored: await storeFile(context, service, orderOf(inspection, file)) };
			} catch (error) {
				return { about, error: whyNotDownloaded(error, timeLimit) };
			}
		}),
	);
	// Make the file names unique, because phones name every photo `image.jpg`.
	const binaries = results.flatMap(({ stored }) => stored?.binary ?? []);
	const names = uniqueFileNames(binaries.map(({ fileName }) => fileName ?? 'file'));
	binaries.forEach((file, index) => (file.fileName = names[index]));
	const binary: IBinaryKeyData = {};
	const files = results.map(({ about, stored, error }, index): JsonRecord => {
		if (stored === undefined) {
			const problem = `File ${String(about.id)} of inspection ${inspection.id} was not downloaded: ${error}`;
			notices.add('missing', 'warning', problem);
			return { ...about, error };
		}
		const binary_property = `file_${index}`;
		binary[binary_property] = stored.binary;
		return { ...about, binary_property, ...fileFacts(stored) };
	});
	return { binary, files };
}

/** Returns what is needed to download a file that is listed in an inspection. */
export function orderOf({ id: inspectionId }: InspectionRecord, file: JsonRecord) {
	const fileId = textOf(file.id) ?? '';
	return { inspectionId, fileId, listedName: listedName(file), kind: fileKind(file) };
}

/** Returns the reason for a failed download: the time limit of a poll, unless the service or the storage refused it. */
export function whyNotDownloaded(error: unknown, timeLimit: OutputContext['timeLimit']): string {
	if (!(error instanceof RequestFailure)) {
		return timeLimit?.() ?? (error instanceof Error ? error.message : String(error));
	}
	const { httpCode = '', message, description } = error.facts;
	const limit = /^\d+$/.test(httpCode) ? undefined : timeLimit?.();
	return limit ?? `${message}. ${description}`;
}
