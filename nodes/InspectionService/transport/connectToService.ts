import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

import { normaliseBaseUrl } from '../domain/baseUrl';
import type { DataFilterFormat } from '../domain/listQueryString';
import { textOf } from '../domain/json';
import type { InspectionServiceClient } from './inspectionServiceClient';
import { clientOf } from './serviceCalls';

/** Any place of n8n that a request can start from. */
export type ServiceContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

/**
 * The client for the credential of `context`'s node. Throws InputError where the credential's base URL is not
 * usable; no request is made.
 */
export async function connectToService(context: ServiceContext): Promise<InspectionServiceClient> {
	const credential = await context.getCredentials('inspectionServiceApi');
	return clientOf(context, {
		baseUrl: normaliseBaseUrl(credential.baseUrl),
		createPath: textOf(credential.createPath) ?? '/v1/inspections',
		dataFilterFormat: dataFilterFormatOf(credential.dataFilterFormat),
	});
}

function dataFilterFormatOf(value: unknown): DataFilterFormat {
	return value === 'json' ? 'json' : 'brackets';
}
