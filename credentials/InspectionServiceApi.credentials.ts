import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import { normaliseApiKey } from '../nodes/InspectionService/domain/request/apiKey';
import { normaliseBaseUrl } from '../nodes/InspectionService/domain/request/baseUrl';
import { checkDestination } from '../nodes/InspectionService/domain/request/destination';

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

	// A function and not the declarative form. n8n 2.41 evaluates the expression of that form in its sandbox anew for
	// every request. Measured: 0.6 ms each, more than all other work of a create here.
	// n8n's HTTP Request node uses this function for any address that a user of the credential enters, and follows
	// redirects with the key. Only this function can refuse that: the key goes to the base URL and nowhere else.
	authenticate: IAuthenticate = async ({ apiKey, baseUrl }, request) => {
		checkDestination(request, normaliseBaseUrl(baseUrl));
		request.headers = { ...request.headers, 'access-token': normaliseApiKey(apiKey) };
		return Object.assign(request, NO_REDIRECTS);
	};

	test: ICredentialTestRequest = {
		request: {
			// The address as the nodes read it: `https://` where no scheme is given, no slashes and no "/v1" at the end.
			baseURL:
				'={{ $credentials.baseUrl.trim().replace(/^(?![a-z][a-z0-9+.-]*:\\/\\/)/i, "https://").replace(/\\/+$/, "").replace(/\\/v1$/, "") }}',
			url: '/v1/inspections',
			qs: { page_size: 1 },
			// n8n would send the key's header to other origins, too, when it follows a redirect.
			disableFollowRedirect: true,
		},
		rules: RULES,
	};
}

/**
 * The rule for a status: what the credential's test then says. The test asks for a list (the responses of
 * listInspections of docs/service.openapi.yaml).
 */
function responseCode(value: number, message: string) {
	return { type: 'responseCode' as const, properties: { value, message } };
}

/** The rule for a web page, which a portal or a wrong address gives for every path. Its body is text and not JSON. */
const WEB_PAGE = {
	type: 'responseSuccessBody' as const,
	properties: {
		key: 'constructor.name',
		value: 'String',
		message:
			'A web page answers at this Base URL, not the Inspection Service. Check the address: it is that of the API, which may differ from the one that you open in your browser.',
	},
};

/** Cast, because n8n's type takes rules of one kind only. Its code takes both kinds (2.41, and also 1.85). */
const RULES = [
	...[301, 302, 307, 308].map((status) =>
		responseCode(
			status,
			'The Base URL redirects to another address. Enter the address that your browser ends up at, with https and without "/v1".',
		),
	),
	responseCode(
		401,
		'The service does not accept this API key (401): it is wrong or expired, its organization is unknown, or the public API is not enabled for the organization.',
	),
	responseCode(
		403,
		'The API key is valid but may not list inspections (403). Give the key the permission to read inspections.',
	),
	responseCode(
		404,
		'Nothing answers at /v1/inspections below this Base URL (404). Check the address; it is given without "/v1".',
	),
	responseCode(429, 'The service is limiting requests (429). Wait a minute and try again.'),
	...[500, 502, 503, 504].map((status) =>
		responseCode(
			status,
			`The service has a problem of its own (${status}). The key could not be checked; try again later.`,
		),
	),
	WEB_PAGE,
] as ICredentialTestRequest['rules'];
