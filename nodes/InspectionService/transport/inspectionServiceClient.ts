import type { ICredentialDataDecryptedObject, ICredentialsDecrypted } from 'n8n-workflow';

import { type JsonRecord, textOf } from '../domain/json';
import { type InspectionPage, inspectionPageOf } from '../domain/list/inspectionPage';
import { type InspectionPageQuery, listQueryString } from '../domain/list/inspectionQuery';
import { MAX_ACTIVE } from '../domain/mapConcurrently';
import { normaliseApiKey, redactorOf } from '../domain/request/apiKey';
import { hasStatus, isOutcomeUnknown, RequestFailure } from '../domain/request/requestFailure';
import {
	normaliseBaseUrl,
	normaliseCreatePath,
	pathSegment,
} from '../domain/request/serviceAddress';
import { createdOf, templateOf } from '../domain/request/serviceResponse';
import { cleanLine, shownTime } from '../domain/shownText';
import type { Timestamp } from '../domain/timestamp';
import type { Connection, ServiceSettings } from './connection';
import { Deadline, REAL_TIMING, type ServiceContext, type Timing } from './deadline';
import { filesThrough } from './download';
import { RequestQueue } from './requestQueue';
import { sendToService, type ServiceRequest } from './serviceRequest';

/**
 * Size of page 1 when it's requested again because it was too large. Ten inspections with 1,000 answers each, the
 * maximum for a create (CreateInspection of docs/service.openapi.yaml), are a tenth of the limit. Readers treat it as
 * a page cap.
 */
const SMALL_PAGE_SIZE = 10;

/** Each call retries if that's safe. Throws RequestFailure, or InputError if an ID can't be used in a request. */
export type InspectionServiceClient = ReturnType<typeof clientForCredential>;

/** For a poll or an editor lookup, which have no items. */
export async function connectToService(
	context: ServiceContext,
	timing: Timing = REAL_TIMING,
): Promise<InspectionServiceClient> {
	return clientForCredential(context, await context.getCredentials('inspectionServiceApi'), timing);
}

/**
 * One client is one connection: after a 429, all its requests slow down. Throws InputError if the credential is
 * unusable.
 */
export function clientForCredential(
	context: ServiceContext,
	data: ICredentialDataDecryptedObject,
	timing: Timing = REAL_TIMING,
) {
	const connection = connectionTo(context, data, timing);
	const { baseUrl, createPath, deadline } = connection;
	const queue = new RequestQueue(deadline, MAX_ACTIVE);
	const ask = async <Value>(request: ServiceRequest<Value>): Promise<Value> =>
		await queue.run(async () => await sendToService(connection, request));
	return {
		baseUrl,
		/** Removes the API key from text for an error, a hint, or a log line. */
		redact: connection.redact,
		/** Sleeps. Returns false if the execution was canceled meanwhile. */
		async wait(milliseconds: number) {
			await deadline.wait(milliseconds);
			return !deadline.isCancelled();
		},
		/**
		 * How long 429 responses have held back requests so far, in ms. Downloads use a separate queue and don't
		 * count.
		 */
		rateLimitedMs: () => queue.rateLimitedMs(),
		list: listThrough(connection, ask),
		async getTemplate(template: string, { includeControls }: { includeControls: boolean }) {
			const includes = includeControls ? '?includes=data' : '';
			const path = `/v1/templates/${pathSegment('Template', template)}${includes}`;
			return await ask({ operation: 'getTemplate', path, template, read: templateOf });
		},
		/** Never resends a request that might have taken effect. */
		async createInspection(body: JsonRecord) {
			const askedAt = shownTime(new Date(timing.now()).toISOString());
			const asked = ask({ operation: 'createInspection', path: createPath, body, read: createdOf });
			return await asked.catch((error: unknown) => {
				throw isOutcomeUnknown(error) ? doubtful(error, textOf(body.name), askedAt) : error;
			});
		},
		...filesThrough(connection, ask),
	};
}

function listThrough(
	{ dataFilterFormat }: Connection,
	ask: <Value>(request: ServiceRequest<Value>) => Promise<Value>,
) {
	const list = async (query: InspectionPageQuery): Promise<InspectionPage> => {
		const path = `/v1/inspections?${listQueryString(query, dataFilterFormat)}`;
		const read = (json: unknown, sentAt: Timestamp | undefined) =>
			inspectionPageOf(json, sentAt, query.pageSize);
		return await ask({ operation: 'listInspections', path, read }).catch(async (error: unknown) => {
			// Some services respond this way after the last page. Page 1 had the same parameters, so only the page
			// number can be the cause.
			if (query.page > 1 && hasStatus(error, 400, 404)) return { inspections: [] };
			const isTooLarge = error instanceof RequestFailure && error.facts.isTooLarge === true;
			if (!isTooLarge || query.page > 1 || query.pageSize <= SMALL_PAGE_SIZE) throw error;
			return await list({ ...query, pageSize: SMALL_PAGE_SIZE });
		});
	};
	return list;
}

function connectionTo(
	context: ServiceContext,
	data: ICredentialDataDecryptedObject,
	timing: Timing,
): Connection {
	const { id, name = '' } = context.getNode().credentials?.inspectionServiceApi ?? {};
	const { apiKey, ...settings } = settingsOf(data);
	const credential: ICredentialsDecrypted = {
		id: id ?? '',
		name,
		type: 'inspectionServiceApi',
		data: { ...data, apiKey },
	};
	const redact = redactorOf(apiKey);
	return { ...settings, context, credential, redact, deadline: new Deadline(context, timing) };
}

/** Normalizes a credential's settings. Throws InputError if one can't be used. */
export function settingsOf(
	data: ICredentialDataDecryptedObject,
): ServiceSettings & { apiKey: string } {
	const dataFilterFormat = data.dataFilterFormat === 'json' ? 'json' : 'brackets';
	return {
		apiKey: normaliseApiKey(data.apiKey),
		baseUrl: normaliseBaseUrl(data.baseUrl),
		createPath: normaliseCreatePath(data.createPath),
		dataFilterFormat,
	};
}

/** Describes a create that might have taken effect, and how to look for the inspection. */
function doubtful(failure: RequestFailure, name: string | undefined, askedAt: string) {
	const { message, description } = failure.facts;
	const called = name
		? `named "${cleanLine(name, 100)}"`
		: 'with a name made of the template name and the time';
	return failure.with({
		message: `The inspection may have been created, or not. ${message}`,
		description: `It was not sent again, so there is at most one. Before running this item again, look in the service for an inspection ${called} created at about ${askedAt}. ${description}`,
	});
}
