import { cleanLine } from '../domain/shownText';

/** Characters of a name in a list or a column of the editor. Chosen: some lines of n8n's panel, where it is not cut. */
export const MAX_LIST_NAME = 200;

/**
 * A name from the service as the editor shows it: one line, without characters that nobody sees. U+202E, for example,
 * turns the reading direction and would show `gpj.exe` as `exe.jpg`.
 */
export function listName(name: string): string {
	return cleanLine(name, MAX_LIST_NAME);
}
