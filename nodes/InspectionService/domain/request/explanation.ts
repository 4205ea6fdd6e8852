import type { ServiceOperation } from './requestFailure';

/** What a status means to the user, and what to do about it. */
interface Explanation {
	/** "The template was not found" */
	what: string;
	/** "Check the template's ID or identifier." */
	cure: string;
}

/**
 * What the statuses mean that an operation documents in its own way: the responses of getTemplate, createInspection,
 * listInspections and getFileUrl of docs/service.openapi.yaml. 405 is what a wrong create path gets.
 */
const OWN: Partial<Record<ServiceOperation, Readonly<Record<number, Explanation>>>> = {
	getTemplate: {
		400: {
			what: 'The service refused the template ID or identifier',
			cure: 'Enter the ID (GUID) of a template, or its identifier of at most 20 characters.',
		},
		404: {
			what: 'The template was not found',
			cure: "Check the template's ID or identifier. A deleted template, or one outside of the API key's organization, is not found either.",
		},
	},
	createInspection: {
		400: {
			what: 'The service refused the inspection',
			cure: 'Check the template, the answers (at most 1000, each to a question of the template) and the assignees (at most 50).',
		},
		403: {
			what: 'The API key may not create this inspection',
			cure: 'Give the user of the API key the permission to create inspections, and check that the key may access the team.',
		},
		404: {
			what: 'The template was not found, or the team is not the one of the template',
			cure: "The template must exist in the API key's organization, be published and not disabled; leave the team empty to take the template's. If all of that is right, check the base URL and the create path in the credential.",
		},
		405: {
			what: 'Inspections cannot be created at this address',
			cure: 'Check the base URL and the create path in the credential.',
		},
	},
	listInspections: {
		400: {
			what: 'The service refused the filters of the list',
			cure: 'Check the dates, the team, the statuses and the question IDs in the filters. If they are right and questions are filtered, change the data filter format in the credential.',
		},
		404: {
			what: 'The service has no such list of inspections',
			cure: 'Check the team in the filters, and the base URL in the credential: it must not contain /v1 or the path of a page.',
		},
	},
	getFileUrl: {
		400: {
			what: 'The service refused the inspection ID or file ID',
			cure: 'Both must be UUIDs, the file one of the kinds image, video, audio, attachment, signature or instacount. Take the IDs from Get Many with the output Files.',
		},
		403: {
			what: 'The API key may not read files',
			cure: 'Give the user of the API key the permission inspections:read (Inspections, Read).',
		},
		404: {
			what: 'The inspection or the file was not found',
			cure: 'Check both IDs: the file must belong to the inspection. Take them from Get Many with the output Files.',
		},
	},
	testCredential: {
		403: {
			what: 'The API key is valid, but may not list inspections',
			cure: 'Give the user of the API key the permission to read inspections.',
		},
		404: {
			what: 'Nothing answers at /v1/inspections below this base URL',
			cure: 'Check the base URL: it is the address of the API, without "/v1" and without the path of a page.',
		},
	},
};

/** Statuses that mean the same for every operation. */
const COMMON: Readonly<Record<number, Explanation>> = {
	401: {
		what: 'The service refused the API key',
		cure: 'Check the API key in the credential: it may be mistyped, expired, or without a valid organization, the organization may lack the public API feature, or may not view what was asked for.',
	},
	403: {
		what: 'The API key may not do this',
		cure: 'Give the user of the API key the permission in the Inspection Service, or use a key of another user.',
	},
	404: {
		what: 'The service knows no such address',
		cure: 'Check the base URL in the credential.',
	},
	407: {
		what: 'The proxy between n8n and the service wants a login',
		cure: "Check the proxy settings of n8n's server.",
	},
	413: {
		what: 'The request is larger than the service takes',
		cure: 'Send less at once, for example shorter texts or fewer answers.',
	},
};

const REFUSED: Explanation = {
	what: 'The service refused the request',
	cure: 'Check the values in the node against what the service says.',
};
const TROUBLE: Explanation = {
	what: 'The service has trouble of its own',
	cure: 'Such trouble often passes by itself. If it stays, ask whoever runs the service.',
};
/** For a response that does not look like one of the service's. */
export const STRANGE: Explanation = {
	what: 'The service responded in an unknown way',
	cure: 'Check that the base URL in the credential leads to the Inspection Service.',
};

/** How storages refuse a signed URL that has expired (Google Cloud Storage: 400) or is no longer known. */
export const EXPIRED: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/** What the status of a response means for an operation, and what to do about it. */
export function explanationOf(
	operation: ServiceOperation,
	status: number,
	retryAfterMs = 0,
): Explanation {
	if (status === 429) {
		return { what: 'The service is receiving too many requests', cure: slowDown(retryAfterMs) };
	}
	if (status === 408 || status >= 500) return TROUBLE;
	if (operation === 'downloadFile') return explanationOfStorage(status);
	const fallback = status >= 400 ? REFUSED : STRANGE;
	const known = OWN[operation]?.[status] ?? COMMON[status] ?? fallback;
	const isRefusedCreate = operation === 'createInspection' && status >= 400;
	return isRefusedCreate
		? { ...known, cure: `The inspection was not created. ${known.cure}` }
		: known;
}

/** Does not name the credential: the service, not the credential, gives the storage's address. */
function explanationOfStorage(status: number): Explanation {
	const cure =
		'Check that the file still exists in the inspection. If it does, ask whoever runs the service.';
	if (!EXPIRED.has(status)) return { what: (status >= 400 ? REFUSED : STRANGE).what, cure };
	return {
		what: 'The storage refused the signed download URL',
		cure: `The URL was asked for again and refused again. ${cure}`,
	};
}

function slowDown(milliseconds: number): string {
	const seconds = Math.ceil(milliseconds / 1000);
	const duration =
		seconds < 120 ? `${String(seconds)} s` : `${String(Math.ceil(seconds / 60))} minutes`;
	return `Wait ${seconds === 0 ? 'a while' : duration} before asking again. Where it happens often, let the workflow ask for less at once, or less often.`;
}
