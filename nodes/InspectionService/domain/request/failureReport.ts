import { isRecord, parseJson, textOf } from '../json';
import { isHtml, serviceWords } from '../serviceWords';
import { cleanLine, shownTime } from '../shownText';
import { explanationOf, STRANGE } from './explanation';
import { meaningOf, type NetworkTrouble } from './networkFailure';
import {
	isServerTrouble,
	mayHaveTakenEffect,
	type RequestFailure,
	type ServiceOperation,
	type StatusFailure,
} from './requestFailure';
import { unsentReport } from './unsentReport';

/** Why a request failed, in n8n's terms. n8n's scheduler (2.38 and later) decides by it when to poll again. */
type FailureCause =
	| { cause: 'rate-limited' | 'temporarily-unavailable'; retryAfterMs?: number }
	| { cause: 'credential-invalid' | 'configuration-invalid' };

/** An error as a person reads it. */
export interface FailureReport {
	/** What happened, with the service's own words. */
	message: string;
	/** What to do about it. */
	description: string;
	httpCode?: string;
	failure?: FailureCause;
	/** True for a create in doubt: it failed, but it may have taken effect. */
	inDoubt?: boolean;
}

/** The facts about a request that its error may name. */
export interface FailedRequest {
	operation: ServiceOperation;
	baseUrl: string;
	/** Path and query string below the base URL. */
	path: string;
	/** The template that was asked for, by the ID or identifier that the user gave. */
	template?: string;
	/** For a create in doubt: how to find the inspection. */
	created?: { name: string | undefined; at: Date };
}

const STORAGE_UNREACHED =
	"The service gave this address. If it stays out of reach, check that n8n's server can get there: its DNS, proxy and firewall.";
const STORAGE_UNTRUSTED =
	'The service gave this address: ask whoever runs it for a valid certificate there, or give its certificate authority to n8n (NODE_EXTRA_CA_CERTS).';

/**
 * The error for a request that failed for good: what happened and what to do about it. It never advises to send a create
 * again with n8n's "Retry On Fail": that repeats all items of the node, also those that were created.
 */
export function reportOf(request: FailedRequest, failure: RequestFailure): FailureReport {
	const report = plainReport(request, failure);
	if (isStorage(request)) {
		const message = report.message.replace(/^(Not sent: )?The service/, '$1The file storage');
		return { ...report, message };
	}
	if (request.operation !== 'createInspection' || !mayHaveTakenEffect(failure)) return report;
	return { ...report, ...uncertain(request, report) };
}

/** Whether the requests go without encryption. A server that wants it closes the connection, or says so in words. */
const isHttp = ({ baseUrl }: FailedRequest) => baseUrl.startsWith('http:');
const isStorage = ({ operation }: { operation: ServiceOperation }) => operation === 'downloadFile';

function plainReport(request: FailedRequest, failure: RequestFailure): FailureReport {
	switch (failure.kind) {
		case 'status':
			return statusReport(request, failure);
		case 'response':
			return {
				message: `The response of the service (${failure.status}) cannot be used: ${failure.reason}`,
				description: STRANGE.cure,
				httpCode: String(failure.status),
				// A maintenance page may come with a 200, so a trigger has to go on polling.
				failure: { cause: 'temporarily-unavailable' },
			};
		case 'cutOff':
			return cutOffReport(request, failure.detail);
		case 'fileTooLarge':
			return tooLargeReport(failure.maxBytes);
		case 'network':
			return networkReport(request, failure.trouble);
		case 'timeUp':
			return { ...networkReport(request, TIME_UP), httpCode: TIME_UP.code };
		case 'throttled':
			return pausedReport(statusReport(request, failure.by));
		case 'cancelled':
			return {
				message: failure.sent
					? 'The execution was cancelled before the service had responded'
					: 'Not sent: the execution was cancelled before',
				description: 'Whoever stopped the execution stopped this request with it.',
			};
		case 'notSent':
		case 'blockedAddress':
			return unsentReport(request, failure);
	}
}

function cutOffReport({ baseUrl }: FailedRequest, detail: string): FailureReport {
	return {
		message: `The file from ${baseUrl} was cut off: ${cleanLine(detail, 300)}`,
		description:
			'The file was asked for twice, and nothing of it was kept. Try again later. If it stays, check what lies between n8n and the file storage.',
		failure: { cause: 'temporarily-unavailable' },
	};
}

function tooLargeReport(maxBytes: number): FailureReport {
	return {
		message: `The file is larger than Max Size (MB) allows: ${maxBytes / 1024 / 1024} MB`,
		description: 'Nothing of it was kept. Set a larger Max Size (MB) in the options to get it.',
		failure: { cause: 'configuration-invalid' },
	};
}

function pausedReport(report: FailureReport): FailureReport {
	const description = `This was the response to another request. ${report.description}`;
	return { ...report, message: `Not sent: ${report.message}`, description };
}

function statusReport(request: FailedRequest, failure: StatusFailure): FailureReport {
	const { status } = failure;
	if (status >= 300 && status < 400 && !isStorage(request)) return redirectReport(request, failure);
	const { what, cure } = explanationOf(request.operation, failure);
	const words = serviceWords(failure.body);
	return {
		message: `${named(what, request)} (${status})${words === undefined ? '' : `: ${words}`}`,
		description: [cure, ...wrongPlace(request, failure)].join(' '),
		httpCode: String(status),
		failure: causeOf(request, failure),
	};
}

/** Names the template in "The template was not found", because each row may have another template. */
function named(what: string, { template }: FailedRequest): string {
	if (template === undefined) return what;
	return what.replace(/^The template\b/, `The template "${cleanLine(template, 60)}"`);
}

const WANTS_HTTPS =
	'If the service wants https, write https:// in place of http:// in the base URL.';

const WEB_PAGE =
	'The response was a web page: the base URL in the credential may lead to something else than the API of the service.';

/** The operations whose 404 blames what was looked for, and does not name the base URL. */
const BLAMES_ID: ReadonlySet<ServiceOperation> = new Set(['getTemplate', 'getFileUrl']);
const WRONG_PATH =
	'If it is right, check the base URL in the credential: the response is not in the form of the service, so the address may be wrong.';

/** Says that the base URL may be wrong, where the response shows it. The storage's address is not the credential's. */
function wrongPlace(request: FailedRequest, { status, body }: StatusFailure): string[] {
	if (isStorage(request)) return [];
	if (isHttp(request) && /\bhttps\b|\btls\b/i.test(body)) return [WANTS_HTTPS];
	if (isHtml(body)) return [WEB_PAGE];
	const isUnknown = status === 404 && !isErrorOfService(body, status);
	return isUnknown && BLAMES_ID.has(request.operation) ? [WRONG_PATH] : [];
}

/** True for the service's own error body, `{code, message}` (Error of docs/service.openapi.yaml). */
function isErrorOfService(body: string, status: number): boolean {
	const error = parseJson(body);
	return isRecord(error) && error.code === status && textOf(error.message) !== undefined;
}

/** 401 and 403 are the credential's fault, but not from the storage, because the storage never gets the API key. */
function causeOf(request: FailedRequest, { status, retryAfterMs }: StatusFailure): FailureCause {
	if (status === 429) return { cause: 'rate-limited', retryAfterMs };
	if ((status === 401 || status === 403) && !isStorage(request))
		return { cause: 'credential-invalid' };
	if (isServerTrouble(status)) return { cause: 'temporarily-unavailable', retryAfterMs };
	return { cause: 'configuration-invalid' };
}

function redirectReport(request: FailedRequest, failure: StatusFailure): FailureReport {
	const target = redirectTarget(request, failure.location);
	return {
		message: `The service sends requests elsewhere (${failure.status}), and they are not followed, because the API key would go along${target === undefined ? '' : `: to ${target}`}`,
		description: `Set the base URL in the credential to the address of the Inspection Service itself, instead of ${request.baseUrl}. Enter another host only if you know that it is yours, and never an http address in place of https: the API key is sent there.`,
		httpCode: String(failure.status),
		failure: { cause: 'configuration-invalid' },
	};
}

/** Where a redirect leads: origin and path only, because a query string may hold secrets. */
function redirectTarget(
	{ baseUrl, path }: FailedRequest,
	location: string | undefined,
): string | undefined {
	if (!location || !URL.canParse(location, baseUrl + path)) return undefined;
	const { protocol, origin, pathname } = new URL(location, baseUrl + path);
	return /^https?:$/.test(protocol) ? origin + pathname : undefined;
}

const TIME_UP: NetworkTrouble = { code: 'ETIMEDOUT', detail: '' };

function networkReport(request: FailedRequest, trouble: NetworkTrouble): FailureReport {
	const { what, cure, lasting, unsent } = meaningOf(trouble);
	const isRefused = isHttp(request) && !unsent && trouble !== TIME_UP;
	const at = request.baseUrl === '' ? '' : ` at ${request.baseUrl}`;
	const storageCure = lasting ? STORAGE_UNTRUSTED : STORAGE_UNREACHED;
	return {
		message: `The service${at} could not be reached: ${what}${trouble.code === '' ? '' : ` (${trouble.code})`}`,
		description: isStorage(request) ? storageCure : `${cure}${isRefused ? ` ${WANTS_HTTPS}` : ''}`,
		failure: { cause: lasting ? 'configuration-invalid' : 'temporarily-unavailable' },
	};
}

function uncertain({ created }: FailedRequest, report: FailureReport): Partial<FailureReport> {
	const name = created?.name;
	const called =
		name === undefined
			? 'with a name made of the template name and the time'
			: `named "${cleanLine(name, 100)}"`;
	const at =
		created === undefined ? '' : ` created at about ${shownTime(created.at.toISOString())}`;
	return {
		inDoubt: true,
		message: `The inspection may have been created, or not. ${report.message}`,
		description: `It was not sent again, so there is at most one. Before running this item again, look in the service for an inspection ${called}${at}. ${report.description}`,
	};
}
