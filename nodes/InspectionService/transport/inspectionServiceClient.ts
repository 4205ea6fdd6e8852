import type { IExecuteFunctions } from 'n8n-workflow';

import type { JsonRecord } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import type { InspectionPageQuery } from '../domain/list/inspectionQuery';

/** Node's Readable, under the name by which n8n takes it: packages may not import 'stream'. */
export type ByteStream = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

/** A file's bytes as they arrive from the signed URL. */
export interface FileStream {
	body: ByteStream;
	/** Response headers, names in lower case. */
	headers: Readonly<Record<string, string | undefined>>;
	/** The address the bytes came from. */
	url: string;
}

/** Takes a file's bytes to where they stay, to the last one, and says how many those were. */
export type FileTaker<Taken> = (file: FileStream) => Promise<{ taken: Taken; bytes: number }>;

/**
 * The five calls of the service. Every method retries where nothing can have happened twice, honours
 * cancellation and throws NodeApiError with `httpCode`, a message in the service's words and `failure`.
 */
export interface InspectionServiceClient {
	/** The service's base address without a trailing slash: what state is tied to. */
	readonly baseUrl: string;
	/** Waits so many ms. False where the execution was cancelled meanwhile. */
	wait(milliseconds: number): Promise<boolean>;
	/** GET /v1/templates/{id}; `includeControls` asks for `data`. */
	getTemplate(idOrIdentifier: string, options: { includeControls: boolean }): Promise<JsonRecord>;
	/** Create; the response as the service gave it, both shapes. Never repeated once it may have taken effect. */
	createInspection(body: JsonRecord): Promise<JsonRecord>;
	/** One page of the list, the envelope already taken off. */
	listInspections(query: InspectionPageQuery): Promise<InspectionRecord[]>;
	/** The service's response with `url`. */
	getFileUrl(inspectionId: string, fileId: string): Promise<JsonRecord & { url: string }>;
	/**
	 * Has the file's URL signed, opens it without the API key and hands the bytes to `take`. A URL that is refused and
	 * bytes that break off are asked for once more, from the signing on: `take` may be called twice. Throws as well what
	 * `take` throws on its own account. Few downloads run at once, the others wait unsigned.
	 */
	downloadFile<Taken>(
		ids: { inspectionId: string; fileId: string },
		take: FileTaker<Taken>,
	): Promise<Taken>;
}
