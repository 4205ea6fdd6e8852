import { InputError } from '../inputError';
import { shown } from './baseUrl';

/** The path is not shown (createInspection of docs/service.openapi.yaml); this is where the list lies, and where it is most likely. */
const DEFAULT_CREATE_PATH = '/v1/inspections';

/**
 * A credential's path of the create operation, with one leading slash; the default where none is given.
 * Throws InputError for a whole address: it would send the API key to another place than the base URL.
 */
export function normaliseCreatePath(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return DEFAULT_CREATE_PATH;
	if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(text) || /[\s\\?#]|(^|\/)\.\.?(\/|$)/.test(text)) {
		throw new InputError(
			`The create path "${shown(text)}" in the credential is not a path. Enter only what follows the base URL, for example ${DEFAULT_CREATE_PATH}`,
		);
	}
	return text.startsWith('/') ? text : `/${text}`;
}
