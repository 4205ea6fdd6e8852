import { InputError } from '../inputError';
import { shown } from './baseUrl';

/** createInspection of docs/service.openapi.yaml leaves its path open. The path of the list is the most likely one. */
const DEFAULT_CREATE_PATH = '/v1/inspections';

/**
 * The path of the create operation in a credential, with one leading slash; the default where none is given. Throws
 * InputError for a whole address, because the API key would be sent to another server than that of the base URL, and for
 * a path that leads out of the base URL's.
 */
export function normaliseCreatePath(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return DEFAULT_CREATE_PATH;
	if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(text) || /[\s\\?#]/.test(text) || leadsOut(text)) {
		throw new InputError(
			`The create path "${shown(text)}" in the credential is not a path. Enter only what follows the base URL, for example ${DEFAULT_CREATE_PATH}`,
		);
	}
	return text.startsWith('/') ? text : `/${text}`;
}

/**
 * Whether a path has a segment `.` or `..`, also an encoded one: `%2e%2e` is `..` to an HTTP client. What is still
 * encoded when it was decoded once (`%252e`) counts as one, because a server behind a proxy may decode twice. So does
 * what cannot be decoded.
 */
function leadsOut(path: string): boolean {
	const plain = decoded(path);
	return plain === undefined || /%[\da-f]{2}|[\p{Cc}\\]|(^|\/)\.\.?(\/|$)/iu.test(plain);
}

function decoded(path: string): string | undefined {
	try {
		return decodeURIComponent(path);
	} catch {
		return undefined;
	}
}
