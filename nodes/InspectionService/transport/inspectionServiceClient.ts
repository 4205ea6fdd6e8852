import type { IExecuteFunctions } from 'n8n-workflow';

import type { JsonRecord } from '../domain/json';
import type { ListSource } from '../domain/list/readFirst';

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

/** Stores all bytes of a file and says how many there were. */
export type FileTaker<Taken> = (file: FileStream) => Promise<{ taken: Taken; bytes: number }>;

/**
 * The five calls of the service. Each retries where a second request can do no harm, and ends when the execution is
 * cancelled. Throws NodeApiError with `httpCode`, a message in the service's words and `failure`.
 */
export interface InspectionServiceClient extends ListSource {
	/** The service's base address without a trailing slash. What is remembered of a service is kept under it. */
	readonly baseUrl: string;
	/** Sleeps. False where the execution was cancelled meanwhile. */
	wait(milliseconds: number): Promise<boolean>;
	/** GET /v1/templates/{id}; `includeControls` asks for `data`. */
	getTemplate(idOrIdentifier: string, options: { includeControls: boolean }): Promise<JsonRecord>;
	/** The response, in either of its shapes (`createdOf`). A create is never sent again once it may have taken effect. */
	createInspection(body: JsonRecord): Promise<JsonRecord>;
	/** The service's response with `url`. */
	getFileUrl(inspectionId: string, fileId: string): Promise<JsonRecord & { url: string }>;
	/**
	 * Asks the service for a signed URL, opens it without the API key and hands the file to `take`. Each attempt has
	 * another URL, and after one that was refused or a file that broke off there is one more: `take` may be called twice. Throws also what
	 * `take` throws. A file of more than `maxBytes`, unpacked, is an error. Few downloads run at once. The others wait without a URL, because a signed one expires.
	 */
	download<Taken>(
		file: { inspectionId: string; fileId: string; maxBytes: number },
		take: FileTaker<Taken>,
	): Promise<Taken>;
}
