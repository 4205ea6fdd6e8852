import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { normaliseApiKey } from '../nodes/InspectionService/domain/request/apiKey';
import {
	checkDestination,
	normaliseBaseUrl,
} from '../nodes/InspectionService/domain/request/serviceAddress';

/**
 * Options that turn off redirects: the first for n8n's helper `httpRequest`, the rest for its older helper `request`,
 * which the HTTP Request node uses.
 */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/**
 * Whether any field of the credential is an expression, so that its value can differ for each item. Without
 * expressions, the node reads the credential only once, because n8n (2.41) needs more than a millisecond for that.
 * Hidden fields don't count, because n8n leaves them out of the credential.
 */
const HAS_EXPRESSIONS =
	'={{ ["baseUrl", "apiKey", ...($rawParameter["&advanced"] === true ? ["createPath", "dataFilterFormat"] : [])].some((name) => String($rawParameter["&" + name]).startsWith("=")) }}';

export class InspectionServiceApi implements ICredentialType {
	name = 'inspectionServiceApi';

	displayName = 'Inspection Service API';

	icon: Icon = {
		light: 'file:../icons/inspectionService.svg',
		dark: 'file:../icons/inspectionService.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-inspection-service/n8n-nodes-inspection-service#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://inspections.example.com',
			description:
				'Address of your Inspection Service, without the "/v1" that the node adds to every request',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: "Private API key of your organization. The key is only sent to the 'Base URL'.",
		},
		{
			displayName: 'Advanced Settings',
			name: 'advanced',
			type: 'boolean',
			default: false,
			description: "Whether to show settings for two details that the service doesn't document",
		},
		{
			displayName: 'Create Path',
			name: 'createPath',
			type: 'string',
			default: '/v1/inspections',
			displayOptions: { show: { advanced: [true] } },
			description:
				"Path for creating inspections. The service doesn't document this path: change it only if Create fails with status 404 or 405.",
		},
		{
			displayName: 'Data Filter Format',
			name: 'dataFilterFormat',
			type: 'options',
			displayOptions: { show: { advanced: [true] } },
			options: [
				{ name: 'Brackets', value: 'brackets' },
				{ name: 'JSON', value: 'json' },
			],
			default: 'brackets',
			description:
				"How the filters 'Flagged Items Only' and 'Questions (Control IDs)' are written in the URL. The service doesn't document this format: change it only if these filters have no effect.",
		},
		{
			displayName: 'Has Expressions',
			name: 'hasExpressions',
			type: 'hidden',
			default: HAS_EXPRESSIONS,
		},
	];

	// The HTTP Request node calls this function for any address that a user enters, and would follow redirects with the
	// API key. Only a function can reject such a request. n8n's declarative form of `authenticate` can't, and costs 0.6
	// ms per request.
	authenticate: IAuthenticate = async ({ apiKey, baseUrl }, request) => {
		checkDestination(request, normaliseBaseUrl(baseUrl));
		request.headers = { ...request.headers, 'access-token': normaliseApiKey(apiKey) };
		return Object.assign(request, NO_REDIRECTS);
	};
}
