import { shownValue } from '../answer/shownValue';
import { nameOrOf } from '../displayName';
import type { JsonRecord } from '../json';
import { cleanLine, listText } from '../shownText';
import type { CreatedInspection } from './createdInspection';

/**
 * Entries that one cell names, and characters of each. So the text stays far below the 32,767 characters that a
 * cell of Excel takes; the output Raw has all entries whole.
 */
const [SHOWN_ENTRIES, ENTRY_LENGTH] = [20, 300];

/**
 * What is known of a create, each value fit for a cell. The text is empty where there are no warnings, or where all
 * answers were stored. `unstored_responses` is null where the service sent nothing to compare.
 */
export function createdCells(created: CreatedInspection): JsonRecord {
	return {
		task_id: created.task_id,
		warnings: cellText(created.warnings),
		unstored_responses:
			created.unstored_responses && cellText(created.unstored_responses.map(unstoredText)),
		already_existed: created.already_existed,
	};
}

/**
 * An inspection that was created as a few flat fields: whose it is, and what is known of the create. The names of its
 * template and team are those of the template, where the service's response has only their ids.
 */
export function simplifiedCreated(
	created: CreatedInspection,
	template: JsonRecord | undefined,
): JsonRecord {
	const { task_id, ...facts } = createdCells(created);
	return {
		id: created.id ?? null,
		name: created.name ?? null,
		status: created.status ?? null,
		task_id,
		template: nameOrOf(created.template, template),
		team: nameOrOf(created.team, template?.team),
		created_at: created.created_at ?? null,
		...facts,
	};
}

/** `"Weather": "Wet"`, and `"Kind:2": "crack"` for the second instance. */
function unstoredText({ label, repeat_section_order: order, value }: JsonRecord): string {
	const instance = typeof order === 'number' && order > 1 ? `:${String(order)}` : '';
	return `"${String(label)}${instance}": ${shownValue(value)}`;
}

function cellText(entries: readonly string[]): string {
	const shown = entries.slice(0, SHOWN_ENTRIES).map((entry) => cleanLine(entry, ENTRY_LENGTH));
	return listText(shown, entries.length, '; ');
}
