import type { CreatedInspection } from '../../domain/create/createdInspection';
import { ENCODING_CURE, namedColumns } from '../../domain/create/unusedColumns';
import { textOf } from '../../domain/json';
import { listText } from '../../domain/shownText';
import type { Form } from '../../domain/template/form';
import type { Hint } from '../hints';

const SHOWN_NAMES = 20;
const SHOWN_WARNINGS = 3;

/** What of the rows was not sent as a request, or hardly as it was meant. It holds no rows: there may be thousands. */
interface RequestNotes {
	form: Form;
	unmatched: readonly string[];
	/** Columns that are not taken for the question of their name. */
	ownColumns: readonly string[];
	/** Questions whose answer has lost characters to a wrong encoding. */
	garbled: readonly string[];
}

export interface CreateNotes {
	requests: RequestNotes[];
	created: CreatedInspection[];
	/** Those of the created ones that come out as rows. */
	asRows: CreatedInspection[];
}

/** At most one hint of a kind. n8n's groups of hints (2.41) are not used: they show their text only after a click. */
export function createHints({ requests, created, asRows }: CreateNotes, total: number): Hint[] {
	return [...rowHints(asRows), ...createdHints(created, total), ...requestHints(requests)];
}

function rowHints(rows: readonly CreatedInspection[]): Hint[] {
	const bare = rows.filter(({ data }) => data === undefined).length;
	if (bare === 0) return [];
	const count = bare === 1 ? '1 row has' : `${String(bare)} rows have`;
	const message = `${count} no answers, because the service did not send them: the inspection existed already, or the service tells only its ID. Inspection → Get with the output Row has them.`;
	return [{ message, type: 'info' }];
}

function createdHints(created: readonly CreatedInspection[], total: number): Hint[] {
	const existed = created.filter((inspection) => inspection.already_existed);
	const compared = created.filter((inspection) => !inspection.already_existed);
	const incomplete = compared.filter(({ unstored_responses: left }) => left?.length);
	const uncompared = compared.filter(({ unstored_responses: left }) => left === null);
	const warned = created.filter(({ warnings }) => warnings.length > 0);
	const unstored = incomplete.flatMap(({ unstored_responses: left }) => left ?? []);
	const labels = unstored.map(({ label }) => `"${textOf(label) ?? ''}"`);
	const hint = (some: readonly CreatedInspection[], text: string, type: Hint['type']): Hint[] => {
		if (some.length === 0) return [];
		const share = `${String(some.length)} of ${String(total)} ${total === 1 ? 'inspection' : 'inspections'}`;
		return [{ message: `${share}: ${text}`, type }];
	};
	return [
		...hint(incomplete, `the service did not store the answers to ${listOf(labels)}`, 'warning'),
		...hint(
			uncompared,
			'the service’s response carried no answers, so that what was stored could not be checked',
			'info',
		),
		...hint(existed, 'existed already by their unique key and were not created again', 'info'),
		...hint(warned, `warnings: ${warningsOf(warned)}`, 'warning'),
	];
}

function requestHints(notes: readonly RequestNotes[]): Hint[] {
	const hints: Hint[] = [];
	const unmatched = new Map(
		notes.flatMap(({ form, unmatched: columns }) => columns.map((column) => [column, form])),
	);
	if (unmatched.size > 0) {
		const first = [...unmatched].slice(0, SHOWN_NAMES);
		const shown = first.flatMap(([column, form]) => namedColumns(form, [column]));
		const message = `No question of the template goes by ${listText(shown, unmatched.size)}: not sent`;
		hints.push({ message, type: 'info' });
	}
	const ownColumns = notes.flatMap((note) => note.ownColumns);
	if (ownColumns.length > 0) {
		const message = `Not taken as answers, though questions are called so: ${listOf(ownColumns)}. The rows of Get Many have columns of their own under these names. Map the columns one by one to use them`;
		hints.push({ message, type: 'warning' });
	}
	const garbled = notes.flatMap((note) => note.garbled.map((name) => `"${name}"`));
	if (garbled.length > 0) {
		const message = `${ENCODING_CURE}. See the answers to ${listOf(garbled)}`;
		hints.push({ message, type: 'warning' });
	}
	return hints;
}

function listOf(names: readonly string[]): string {
	const distinct = [...new Set(names)];
	return listText(distinct.slice(0, SHOWN_NAMES), distinct.length);
}

function warningsOf(created: readonly CreatedInspection[]): string {
	const distinct = [...new Set(created.flatMap(({ warnings }) => warnings))];
	const shown = distinct.slice(0, SHOWN_WARNINGS).join(' · ');
	const more = distinct.length - SHOWN_WARNINGS;
	return `${shown}${more > 0 ? ` · ${String(more)} more under "warnings"` : ''}`;
}
