import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { storageOrigin } from '../domain/file/file';
import { cleanLine, shownTime } from '../domain/formatting';
import { EXAMPLE_ID, guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { type JsonRecord, textOf } from '../domain/json';
import { type InspectionPage, inspectionPageOf } from '../domain/list/inspectionPage';
import { type InspectionPageQuery, listQueryString } from '../domain/list/inspectionQuery';
import { MAX_ACTIVE } from '../domain/mapConcurrently';
import { hasStatus, isOutcomeUnknown, RequestFailure } from '../domain/request/requestFailure';
import { pathSegment } from '../domain/request/serviceAddress';
import { fileUrlOf, readCreated, templateOf } from '../domain/request/serviceResponse';
import type { Timestamp } from '../domain/timestamp';
import { type Connection, connectionTo } from './connection';
import { REAL_TIMING, type ServiceContext, type Timing } from './deadline';
import { fetchFile, type FileConsumer, type WantedFile } from './download';
import { RequestQueue } from './requestQueue';
import { sendToService, type ServiceRequest } from './serviceRequest';

/**
 * Page size for requesting page 1 again after its response was too large. Ten inspections need about a tenth of the
 * limit, even with 1,000 answers each, the maximum of Create (CreateInspection in docs/service.openapi.yaml). Code that
 * reads the list then assumes that the service limits the page size.
 */
const SMALL_PAGE_SIZE = 10;

/**
 * Maximum concurrent downloads. Chosen: enough for many small files to be fast, and few enough for a large file to have
 * enough bandwidth.
 */
const MAX_DOWNLOADS = 6;

/** Connects to the service for a poll or an editor lookup, which have no input items. */
export async function connectToService(
	context: ServiceContext,
	timing: Timing = REAL_TIMING,
): Promise<InspectionServiceClient> {
	const data = await context.getCredentials('inspectionServiceApi');
	return new InspectionServiceClient(context, data, timing);
}

/**
 * The operations of the service. Each call is retried if a retry is safe. Throws RequestFailure, or InputError if an ID
 * can't be used in a request. All calls of one client share one connection: after a response with status 429, all of
 * them slow down.
 */
export class InspectionServiceClient {
	readonly baseUrl: string;
	/** Replaces the API key in text for an error, a hint, or a log line. */
	readonly redact: (text: string) => string;
	private readonly connection: Connection;
	private readonly queue: RequestQueue;
	private readonly downloads: RequestQueue;

	/** Throws InputError if the credential can't be used. */
	constructor(
		context: ServiceContext,
		data: ICredentialDataDecryptedObject,
		timing: Timing = REAL_TIMING,
	) {
		this.connection = connectionTo(context, data, timing);
		this.baseUrl = this.connection.baseUrl;
		this.redact = this.connection.redact;
		this.queue = new RequestQueue(this.connection.deadline, MAX_ACTIVE);
		this.downloads = new RequestQueue(this.connection.deadline, MAX_DOWNLOADS);
	}

	/** Waits. Returns false if the execution was canceled meanwhile. */
	async wait(milliseconds: number): Promise<boolean> {
		const { deadline } = this.connection;
		await deadline.wait(milliseconds);
		return !deadline.isCancelled();
	}

	/** Returns how long requests have waited because the service or the file storage asked for it, in ms. */
	requestedWaitMs(): number {
		return Math.max(this.queue.requestedWaitMs(), this.downloads.requestedWaitMs());
	}

	/**
	 * Fetches one page of inspections. This is a property and not a method, because it's also passed as a function,
	 * without the client.
	 */
	readonly list = async (query: InspectionPageQuery): Promise<InspectionPage> => {
		const path = `/v1/inspections?${listQueryString(query, this.connection.dataFilterFormat)}`;
		const read = (json: unknown, sentAt: Timestamp | undefined) =>
			inspectionPageOf(json, sentAt, query.pageSize);
		const request = this.send({ operation: 'listInspections', path, read });
		return await request.catch(async (error: unknown) => {
			// Some services respond with 400 or 404 after the last page. Page 1 was accepted with the same parameters, so
			// only the page number can be the cause.
			if (query.page > 1 && hasStatus(error, 400, 404)) return { inspections: [] };
			const isTooLarge = error instanceof RequestFailure && error.facts.isTooLarge === true;
			if (!isTooLarge || query.page > 1 || query.pageSize <= SMALL_PAGE_SIZE) throw error;
			return await this.list({ ...query, pageSize: SMALL_PAGE_SIZE });
		});
	};

	async getTemplate(
		template: string,
		{ includeControls }: { includeControls: boolean },
	): Promise<JsonRecord> {
		const includes = includeControls ? '?includes=data' : '';
		const path = `/v1/templates/${pathSegment('Template', template)}${includes}`;
		return await this.send({ operation: 'getTemplate', path, template, read: templateOf });
	}

	/** Creates an inspection. Never resends a request that the service might have processed. */
	async createInspection(body: JsonRecord): Promise<JsonRecord> {
		const { createPath: path, deadline } = this.connection;
		const sentAt = shownTime(new Date(deadline.timing.now()).toISOString());
		const request = this.send({ operation: 'createInspection', path, body, read: readCreated });
		return await request.catch((error: unknown) => {
			throw isOutcomeUnknown(error) ? outcomeUnknown(error, textOf(body.name), sentAt) : error;
		});
	}

	/** Requests the signed URL of a file. Returns the service's response, which contains it as `url`. */
	async getFileUrl(inspectionId: string, fileId: string): Promise<JsonRecord & { url: string }> {
		const inspection = uuidSegment('Inspection ID', inspectionId);
		const path = `/v1/inspections/${inspection}/files/${uuidSegment('File ID', fileId)}/url`;
		const signed = await this.send({ operation: 'getFileUrl', path, read: fileUrlOf });
		storageOrigin(signed.url);
		return signed;
	}

	/** Downloads a file and passes it to `consume`. Retries can call `consume` again. Throws what `consume` throws. */
	async download<Result>(file: WantedFile, consume: FileConsumer<Result>): Promise<Result> {
		const requestUrl = async () =>
			await this.getFileUrl(file.inspectionId, file.fileId).catch((error: unknown) => {
				// The queue for requests to the service has already retried this request.
				throw error instanceof RequestFailure ? error.withoutRetries() : error;
			});
		return await this.downloads.run(
			async () => await fetchFile(this.connection, file, consume, requestUrl),
		);
	}

	private async send<Value>(request: ServiceRequest<Value>): Promise<Value> {
		return await this.queue.run(async () => await sendToService(this.connection, request));
	}
}

/**
 * Encodes an ID as a path segment. Throws InputError if it isn't a UUID, because the service rejects other IDs
 * (`getFileUrl` in docs/service.openapi.yaml).
 */
function uuidSegment(name: string, id: string): string {
	if (guidOf(id) !== undefined) return pathSegment(name, id);
	throw new InputError(
		`${name} "${cleanLine(id, 100)}" is not an ID such as ${EXAMPLE_ID}, so the file can't be requested`,
	);
}

/**
 * Returns the error for a Create request whose result is unknown. Its description explains how to look for the
 * inspection.
 */
function outcomeUnknown(failure: RequestFailure, name: string | undefined, sentAt: string) {
	const { message, description } = failure.facts;
	const called = name ? `"${cleanLine(name, 100)}"` : 'after the template and the time';
	return failure.with({
		message: `It's unknown whether the inspection was created. ${message}`,
		description: `The node didn't send the request again, so there is at most one new inspection. Before you run this item again, look in the service for an inspection that was created at about ${sentAt} and is named ${called}. ${description}`,
	});
}
