import type { IHttpRequestOptions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { inspectionsOf } from '../domain/inspectionPage';
import type { JsonRecord } from '../domain/json';
import { isRecord, textOf } from '../domain/json';
import type { DataFilterFormat } from '../domain/listQueryString';
import { listQueryString } from '../domain/listQueryString';
import { pathSegment } from '../domain/pathSegment';
import type { ServiceContext } from './connectToService';
import type { FileStream, InspectionServiceClient } from './inspectionServiceClient';

interface ServiceAddress {
	baseUrl: string;
	createPath: string;
	dataFilterFormat: DataFilterFormat;
}

export function clientOf(
	context: ServiceContext,
	{ baseUrl, createPath, dataFilterFormat }: ServiceAddress,
): InspectionServiceClient {
	const ask = async (options: Partial<IHttpRequestOptions> & { url: string }): Promise<unknown> =>
		await context.helpers.httpRequestWithAuthentication.call(context, 'inspectionServiceApi', {
			method: 'GET',
			disableFollowRedirect: true,
			json: true,
			...options,
		});
	const askRecord = async (options: Partial<IHttpRequestOptions> & { url: string }) => {
		const answer = await ask(options);
		if (isRecord(answer)) return answer;
		throw new NodeApiError(context.getNode(), {}, { message: 'The service sent no JSON object' });
	};
	return {
		baseUrl,
		async getTemplate(idOrIdentifier, { includeControls }): Promise<JsonRecord> {
			const path = `/v1/templates/${pathSegment('Template', idOrIdentifier)}`;
			return await askRecord({
				url: `${baseUrl}${path}${includeControls ? '?includes=data' : ''}`,
			});
		},
		async createInspection(body): Promise<JsonRecord> {
			return await askRecord({ url: baseUrl + createPath, method: 'POST', body });
		},
		async listInspections(query) {
			const answer = await ask({
				url: `${baseUrl}/v1/inspections?${listQueryString(query, dataFilterFormat)}`,
			});
			return inspectionsOf(answer);
		},
		async getFileUrl(inspectionId, fileId) {
			const inspection = pathSegment('Inspection ID', inspectionId);
			const file = pathSegment('File ID', fileId);
			const answer = await askRecord({
				url: `${baseUrl}/v1/inspections/${inspection}/files/${file}/url`,
			});
			const url = textOf(answer.url);
			if (url !== undefined) return { ...answer, url };
			throw new NodeApiError(context.getNode(), {}, { message: 'The answer has no "url"' });
		},
		async openFile(url): Promise<FileStream> {
			const response = await context.helpers.httpRequest({
				url,
				encoding: 'stream',
				returnFullResponse: true,
			});
			return { body: response.body, headers: response.headers, url };
		},
	};
}
