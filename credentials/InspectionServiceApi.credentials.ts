import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { normaliseApiKey } from '../nodes/InspectionService/domain/request/apiKey';
import {
	checkDestination,
	normaliseBaseUrl,
} from '../nodes/InspectionService/domain/request/serviceAddress';

/**
 * Follows no redirect. The first option is that of n8n's helper `httpRequest`; the others are those of its older helper
 * `request`, which the HTTP Request node uses.
 */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

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
			description:
				'Private API key of your organization. It is sent to the Base URL only, as the header "access-token".',
		},
		{
			displayName: 'Advanced Settings',
			name: 'advanced',
			type: 'boolean',
			default: false,
			description:
				'Whether to set what the service does not document: where inspections are created and how two filters are written',
		},
		{
			displayName: 'Create Path',
			name: 'createPath',
			type: 'string',
			default: '/v1/inspections',
			displayOptions: { show: { advanced: [true] } },
			description:
				'Path that inspections are created at. The service does not document it: change it only if creating answers 404 or 405.',
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
				'How the filters on flagged items and on controls are written into the address. The service does not document it: change it only if these two filters have no effect.',
		},
	];

	// A function, because n8n 2.41 works out the expression of the declarative form for every request: 0.6 ms each.
	// n8n's HTTP Request node uses this function for any address that a user of the credential enters, and follows
	// redirects with the key. Only this function can refuse that: the key goes to the base URL and nowhere else.
	authenticate: IAuthenticate = async ({ apiKey, baseUrl }, request) => {
		checkDestination(request, normaliseBaseUrl(baseUrl));
		request.headers = { ...request.headers, 'access-token': normaliseApiKey(apiKey) };
		return Object.assign(request, NO_REDIRECTS);
	};
}
