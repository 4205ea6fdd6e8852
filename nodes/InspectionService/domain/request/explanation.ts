import type { ServiceOperation } from './requestInfo';
import { eventOfStatus } from './retryPolicy';

type Explanation = `${string}. ${string}`;

/** Explanations for statuses that have a special meaning for an operation. A wrong create path leads to 405. */
const OWN: Partial<Record<ServiceOperation, Readonly<Record<number, Explanation>>>> = {
	getTemplate: {
		400: "The service refused the template ID or identifier. Enter a template's ID, or its identifier of at most 20 characters.",
		404: "The template was not found. Check the template's ID or identifier. The template might be deleted, or belong to an organization other than the API key's. If all of this is right, check the base URL in the credential.",
	},
	createInspection: {
		400: 'The service refused the inspection. Check the template, the answers (at most 1000, each to a question of the template), and the assignees (at most 50).',
		403: "The API key doesn't have permission to create this inspection. Give the user of the API key permission to create inspections, and access to the team.",
		404: "The template was not found, or belongs to a different team. The template must be in the API key's organization, be published, and not be disabled. Leave the team empty to use the template's team. If all of this is right, check the base URL and the create path in the credential.",
		405: "Inspections can't be created at this address. Check the base URL and the create path in the credential.",
	},
	listInspections: {
		400: "The service refused the filters of the list. Check the dates, team, statuses, and question IDs in the filters. If they're right and you filter by questions, change the data filter format in the credential.",
		404: 'The list of inspections was not found. Check the team in the filters and the base URL in the credential. The base URL must not contain /v1 or the path of a page that you open in a browser.',
	},
	getFileUrl: {
		400: 'The service refused the inspection ID or file ID. Both must be UUIDs. The file must be an image, video, audio, attachment, signature, or instacount. Take both IDs from Get Many, with Output set to "Files".',
		403: "The API key doesn't have permission to read files. Give the user of the API key the permission inspections:read (Inspections, Read).",
		404: 'The inspection or the file was not found. Check both IDs: the file must belong to the inspection. Take both IDs from Get Many, with Output set to "Files". If both IDs are right, check the base URL in the credential.',
	},
	testCredential: {
		403: "The API key is valid, but doesn't have permission to list inspections. Give the user of the API key permission to read inspections.",
		404: `Nothing responds at /v1/inspections below this base URL. Check the base URL. Enter the address of the API, without "/v1" and without the path of a page that you open in a browser.`,
	},
};

const COMMON: Readonly<Record<number, Explanation>> = {
	401: 'The service refused the API key. Check the API key in the credential. The key might be mistyped or expired, or its organization might not be valid. The organization might also lack the public API feature, or access to the requested data.',
	403: "The API key doesn't have permission for this. Give the user of the API key the permission in the Inspection Service, or use a different user's key.",
	404: "The service doesn't have this address. Check the base URL in the credential.",
	407: "The proxy between n8n and the service requires a login. Check the proxy settings of n8n's server.",
	413: 'The request is larger than the service accepts. Send less at once, such as shorter text or fewer answers.',
};

const ELSE =
	"The service refused the request. Compare the values in the node with the service's message.";

export const CHECK_ADDRESS =
	'Check that the base URL in the credential leads to the Inspection Service.';
/** Doesn't mention the credential, because the service provides the address of the file storage. */
const CHECK_FILE =
	'Check that the file still exists in the inspection. If it does, ask whoever runs the service.';

export function explanationOf(
	operation: ServiceOperation,
	status: number,
	retryAfterMs = 0,
): { what: string; fix: string } {
	const [what = '', fix = ''] = textFor(operation, status, retryAfterMs).split(/\. (.*)/s);
	const isRefusedCreate =
		operation === 'createInspection' && status >= 400 && status < 500 && status !== 408;
	return { what, fix: isRefusedCreate ? `The inspection was not created. ${fix}` : fix };
}

function textFor(operation: ServiceOperation, status: number, retryAfterMs: number): Explanation {
	const event = eventOfStatus(operation, status);
	if (event === 'rateLimited') {
		return `The service is receiving too many requests. Wait ${durationOf(retryAfterMs)} before the next run. If this happens often, make the workflow request less at once, or less often.`;
	}
	if (event === 'serviceFailed' || event === 'notSupported') {
		return "The service couldn't process the request. This is often temporary. If this continues, ask whoever runs the service.";
	}
	const isStorage = operation === 'downloadFile';
	if (event === 'urlRejected') {
		return `The storage refused the signed download URL. The storage also refused a new URL. ${CHECK_FILE}`;
	}
	if (status < 400) {
		return `The service responded in an unexpected way. ${isStorage ? CHECK_FILE : CHECK_ADDRESS}`;
	}
	if (isStorage) return `The service refused the request. ${CHECK_FILE}`;
	return OWN[operation]?.[status] ?? COMMON[status] ?? ELSE;
}

function durationOf(milliseconds: number): string {
	const seconds = Math.ceil(milliseconds / 1000);
	if (seconds === 0) return 'a while';
	return seconds < 120
		? `${String(seconds)} seconds`
		: `${String(Math.ceil(seconds / 60))} minutes`;
}
