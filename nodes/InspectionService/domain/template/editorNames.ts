import { cleanLine } from '../shownText';
import { type Column, isQuestion } from './questions';

/** Characters of a name in a list or a column of the editor: some lines of n8n's panel, where it is not cut. */
const MAX_LIST_NAME = 200;

/**
 * A name from the service as the editor shows it: one line, without characters that nobody sees. A blank stands before
 * `=`, because n8n saves names, too, and takes a text that begins with `=` for an expression.
 */
export function listName(name: string): string {
	const line = cleanLine(name, MAX_LIST_NAME);
	return line.startsWith('=') ? ` ${line}` : line;
}

/** What stands behind the name of a column that has to be filled. */
export const REQUIRED_MARK = ' (required)';
const MAX_NAME = MAX_LIST_NAME - REQUIRED_MARK.length;
/** Characters of a place in brackets, so that at least half of the name is the label. */
const MAX_PLACE = 80;

/**
 * The names of the columns in the editor, all different: `Name`; `Room › Name` in a repeatable section; `Remarks
 * (Scaffolding/Checks)` where several questions have the label. n8n 2.41 cuts a name after about 27 characters.
 */
export function editorNames(columns: readonly Column[]): Map<Column, string> {
	const candidates = columns.map((column) => ({ column, names: editorNamesOf(column) }));
	const counts = new Map<string, number>();
	for (const { names } of candidates) {
		for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return new Map(
		candidates.map(({ column, names }) => {
			const name = names.find((candidate) => counts.get(candidate) === 1) ?? names.at(-1);
			return [column, name ?? column.fieldId];
		}),
	);
}

/** The names that a column may get, the shortest first. People copy them into a header: each is a key (`keysOf`). */
export function editorNamesOf(column: Column): string[] {
	const title = titleOf(column);
	const outermost = isQuestion(column) ? (column.section ?? column) : column;
	const places = [outerPath(outermost), outerPath(column)].filter((place) => place !== '');
	return [
		cleanLine(title, MAX_NAME),
		...[...new Set(places), column.fieldId].map((place) => placedName(title, place)),
	];
}

/** A name with its place behind it, such as `Remarks (Scaffolding/Checks)`. Only the title gets shorter for the place. */
function placedName(title: string, place: string): string {
	const end = ` (${cleanLine(place, MAX_PLACE)})`;
	return cleanLine(title, MAX_NAME - end.length) + end;
}

function titleOf(column: Column): string {
	const label = labelOf(column);
	if (!isQuestion(column)) return `${label} (list, one entry each)`;
	return column.section === null ? label : `${labelOf(column.section)} › ${label}`;
}

function labelOf({ label, fieldId }: Column): string {
	return cleanLine(label, MAX_NAME) || fieldId;
}

/** The path without the column's own label. */
function outerPath({ path, label }: Column): string {
	return path.endsWith(`/${label}`) ? path.slice(0, -label.length - 1) : '';
}
