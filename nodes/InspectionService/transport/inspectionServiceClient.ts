import type { ICredentialDataDecryptedObject, ICredentialsDecrypted } from 'n8n-workflow';

import { storageOrigin } from '../domain/file/file';
import { guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { type JsonRecord, textOf } from '../domain/json';
import type { ListSource } from '../domain/list/askPage';
import { inspectionPageOf } from '../domain/list/inspectionPage';
import { type DataFilterFormat, listQueryString } from '../domain/list/inspectionQuery';
import { MAX_ACTIVE } from '../domain/mapConcurrently';
import { normaliseApiKey, redactorOf } from '../domain/request/apiKey';
import { isInDoubt } from '../domain/request/requestFailure';
import {
	normaliseBaseUrl,
	normaliseCreatePath,
	pathSegment,
} from '../domain/request/serviceAddress';
import { createdOf, fileUrlOf, templateOf } from '../domain/request/serviceResponse';
import { cleanLine, shownTime } from '../domain/shownText';
import { Deadline, REAL_TIMING, type ServiceContext, type Timing } from './deadline';
import { downloadThrough, type FileTaker, type FileToDownload } from './download';
import { RequestQueue } from './requestQueue';
import { sendToService, type ServiceRequest } from './serviceRequest';

export interface Connection {
	context: ServiceContext;
	/** Without a trailing slash. */
	baseUrl: string;
	/** Without it n8n would read and decrypt the credential anew for every request. */
	credential: ICredentialsDecrypted;
	redact: (text: string) => string;
	deadline: Deadline;
}

/** Each call retries where that can do no harm. Throws RequestFailure, and InputError for an id that cannot be asked for. */
export interface InspectionServiceClient extends ListSource {
	readonly baseUrl: string;
	/** Sleeps. False where the execution was cancelled meanwhile. */
	wait(milliseconds: number): Promise<boolean>;
	getTemplate(idOrIdentifier: string, options: { includeControls: boolean }): Promise<JsonRecord>;
	/** It is never sent again once it may have taken effect. */
	createInspection(body: JsonRecord): Promise<JsonRecord>;
	getFileUrl(inspectionId: string, fileId: string): Promise<JsonRecord & { url: string }>;
	download<Taken>(file: FileToDownload, take: FileTaker<Taken>): Promise<Taken>;
}

/** For a poll or a look-up of the editor, which have no items. */
export async function connectToService(
	context: ServiceContext,
	timing: Timing = REAL_TIMING,
): Promise<InspectionServiceClient> {
	return clientForCredential(context, await context.getCredentials('inspectionServiceApi'), timing);
}

/** One client is one connection: after a 429 all its requests slow down. Throws InputError for an unusable credential. */
export function clientForCredential(
	context: ServiceContext,
	data: ICredentialDataDecryptedObject,
	timing: Timing = REAL_TIMING,
): InspectionServiceClient {
	const { id, name = '' } = context.getNode().credentials?.inspectionServiceApi ?? {};
	const { apiKey, baseUrl, createPath, dataFilterFormat } = settingsOf(data);
	const deadline = new Deadline(context, timing);
	const connection: Connection = {
		context,
		baseUrl,
		credential: { id: id ?? '', name, type: 'inspectionServiceApi', data: { ...data, apiKey } },
		redact: redactorOf(apiKey),
		deadline,
	};
	const queue = new RequestQueue(deadline, MAX_ACTIVE);
	const ask: Ask = async (request) =>
		await queue.run(async () => await sendToService(connection, request));
	const getFileUrl = fileUrlCall(ask);
	return {
		baseUrl,
		async wait(milliseconds) {
			await deadline.wait(milliseconds);
			return !deadline.isCancelled();
		},
		getTemplate: templateCall(ask),
		createInspection: createCall(ask, createPath, deadline),
		getFileUrl,
		download: downloadThrough(connection, getFileUrl),
		async list(query) {
			return await ask({
				operation: 'listInspections',
				path: `/v1/inspections?${listQueryString(query, dataFilterFormat)}`,
				read: (json, sentAt) => inspectionPageOf(json, query, sentAt),
			});
		},
	};
}

export function settingsOf(data: ICredentialDataDecryptedObject) {
	const dataFilterFormat: DataFilterFormat = data.dataFilterFormat === 'json' ? 'json' : 'brackets';
	return {
		apiKey: normaliseApiKey(data.apiKey),
		baseUrl: normaliseBaseUrl(data.baseUrl),
		createPath: normaliseCreatePath(data.createPath),
		dataFilterFormat,
	};
}

type Ask = <Value>(request: ServiceRequest<Value>) => Promise<Value>;

function templateCall(ask: Ask): InspectionServiceClient['getTemplate'] {
	return async (idOrIdentifier, { includeControls }) => {
		const template = pathSegment('Template', idOrIdentifier);
		return await ask({
			operation: 'getTemplate',
			path: `/v1/templates/${template}${includeControls ? '?includes=data' : ''}`,
			template: idOrIdentifier,
			read: templateOf,
		});
	};
}

function createCall(
	ask: Ask,
	path: string,
	{ timing }: Deadline,
): InspectionServiceClient['createInspection'] {
	return async (body) => {
		const askedAt = shownTime(new Date(timing.now()).toISOString());
		const name = textOf(body.name);
		const called = name
			? `named "${cleanLine(name, 100)}"`
			: 'with a name made of the template name and the time';
		const asked = ask({ operation: 'createInspection', path, body, read: createdOf });
		return await asked.catch((error: unknown) => {
			if (!isInDoubt(error)) throw error;
			const { message, description } = error.facts;
			throw error.with({
				message: `The inspection may have been created, or not. ${message}`,
				description: `It was not sent again, so there is at most one. Before running this item again, look in the service for an inspection ${called} created at about ${askedAt}. ${description}`,
			});
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

/** Throws InputError for what is no UUID: the service refuses it (getFileUrl of docs/service.openapi.yaml). */
function uuidSegment(name: string, id: string): string {
	if (guidOf(id) !== undefined) return pathSegment(name, id);
	throw new InputError(
		`${name} "${cleanLine(id, 100)}" is not a UUID, so that the file cannot be asked for`,
	);
}
