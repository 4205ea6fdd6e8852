import { storageOrigin } from '../domain/file/downloadUrl';
import { guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { type JsonRecord, textOf } from '../domain/json';
import { inspectionPageOf } from '../domain/list/inspectionPage';
import { listQueryString } from '../domain/list/listQueryString';
import { type FailedRequest, reportOf } from '../domain/request/failureReport';
import { pathSegment } from '../domain/request/serviceAddress';
import { createdOf, fileUrlOf, templateOf } from '../domain/request/serviceResponse';
import { cleanLine } from '../domain/shownText';
import type { Connection } from './connection';
import type { InspectionServiceClient } from './inspectionServiceClient';
import { RequestQueue } from './requestQueue';
import { serviceError } from './serviceError';
import { sendToService, type ServiceRequest } from './serviceRequest';
import { signedDownload } from './signedDownload';

/**
 * Requests of one connection under way at once. Enough to hide a network delay of 50 ms, and few enough for a
 * service that many others use. It has limits and does not name them (TooManyRequests of docs/service.openapi.yaml).
 */
const MAX_ACTIVE = 10;

/** Sends a request and reads the response; retries where that is safe. Throws NodeApiError where it failed for good. */
type Ask = <Value>(request: ServiceRequest<Value>) => Promise<Value>;

/** The client whose calls share one queue, one budget and one cancellation. */
export function clientOf(connection: Connection): InspectionServiceClient {
	const { address, deadline } = connection;
	const ask = askThrough(connection);
	const getFileUrl = fileUrlCall(ask);
	return {
		baseUrl: address.baseUrl,
		async wait(milliseconds) {
			await deadline.wait(milliseconds);
			return !deadline.isCancelled();
		},
		getFileUrl,
		download: signedDownload(connection, getFileUrl),
		getTemplate: templateCall(ask),
		async createInspection(body) {
			return await ask({
				operation: 'createInspection',
				path: address.createPath,
				body,
				read: createdOf,
			});
		},
		async list(query) {
			return await ask({
				operation: 'listInspections',
				path: `/v1/inspections?${listQueryString(query, address.dataFilterFormat)}`,
				read: (json, sentAt) => inspectionPageOf(json, query, sentAt),
			});
		},
	};
}

function askThrough(connection: Connection): Ask {
	const { context, address, deadline } = connection;
	const queue = new RequestQueue({ maxActive: MAX_ACTIVE, deadline });
	return async (request) => {
		const askedAt = new Date(deadline.timing.now());
		const result = await queue.run({
			safe: request.body === undefined,
			send: async () => await sendToService(connection, request),
		});
		if ('value' in result) return result.value;
		const failed: FailedRequest = {
			...request,
			...address,
			created: creationOf(request, askedAt),
		};
		throw serviceError(context.getNode(), reportOf(failed, result.failure));
	};
}

function templateCall(ask: Ask): InspectionServiceClient['getTemplate'] {
	return async (idOrIdentifier, { includeControls }) => {
		const template = pathSegment('Template', idOrIdentifier);
		const query = includeControls ? '?includes=data' : '';
		return await ask({
			operation: 'getTemplate',
			path: `/v1/templates/${template}${query}`,
			template: idOrIdentifier,
			read: templateOf,
		});
	};
}

function fileUrlCall(ask: Ask): InspectionServiceClient['getFileUrl'] {
	return async (inspectionId, fileId) => {
		const inspection = uuidSegment('Inspection ID', inspectionId);
		const file = uuidSegment('File ID', fileId);
		const signed = await ask({
			operation: 'getFileUrl',
			path: `/v1/inspections/${inspection}/files/${file}/url`,
			read: fileUrlOf,
		});
		storageOrigin(signed.url);
		return signed;
	};
}

function creationOf({ body }: { body?: JsonRecord }, at: Date): FailedRequest['created'] {
	return body === undefined ? undefined : { name: textOf(body.name), at };
}

/** An id of a path. Throws InputError for what is no UUID: the service refuses it (getFileUrl of docs/service.openapi.yaml). */
function uuidSegment(name: string, id: string): string {
	if (guidOf(id) !== undefined) return pathSegment(name, id);
	throw new InputError(
		`${name} "${cleanLine(id, 100)}" is not a UUID, so that the file cannot be asked for`,
	);
}
