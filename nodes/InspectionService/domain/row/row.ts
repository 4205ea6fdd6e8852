import { joinChoices } from '../answer/choiceText';
import { displayName, nestedId } from '../displayName';
import type { InspectionRecord } from '../list/inspectionPage';
import { isRecord, type JsonRecord, type JsonValue } from '../json';
import { rowColumns, type RowColumns } from './rowColumns';
import type { RowKey } from '../rowKeys';
import { storedResponsesOf } from '../answer/storedResponse';
import { templateForm } from '../answer/templateForm';
import { templateIdOf } from '../template/templateOfInspection';

/**
 * Inspections (read with `data`) as rows of a spreadsheet, in the same order: the keys of the contract, then one
 * key per question, null where it was not answered. Rows of one template all have the same keys in the same
 * order. `templates` holds those that could be read (with their controls) by id in lower case.
 *
 * A row fed back into Create by auto-map makes the same answers.
 */
export function rowsOf(
	inspections: readonly InspectionRecord[],
	templates: ReadonlyMap<string, JsonRecord>,
): JsonRecord[] {
	const groups = new Map<string, InspectionRecord[]>();
	for (const inspection of inspections) {
		const key = templateKey(inspection);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [inspection]);
		else group.push(inspection);
	}
	const columnsOf = new Map<string, RowColumns>();
	for (const [key, group] of groups) {
		const template = templates.get(key);
		const responses = group.flatMap((inspection) => storedResponsesOf(inspection) ?? []);
		columnsOf.set(key, rowColumns(responses, template && templateForm(template)));
	}
	return inspections.map((inspection) => {
		const key = templateKey(inspection);
		return rowOf(inspection, templates.get(key), columnsOf.get(key));
	});
}

/** What `templates` of `rowsOf` is keyed by; '' where the inspection names no template. */
export function templateKey(inspection: JsonRecord): string {
	return templateIdOf(inspection)?.toLowerCase() ?? '';
}

function rowOf(
	inspection: InspectionRecord,
	template: JsonRecord | undefined,
	columns: RowColumns | undefined,
): JsonRecord {
	const answers = new Map<string, JsonValue | undefined>();
	for (const response of storedResponsesOf(inspection) ?? []) {
		answers.set(columns?.answerId(response) ?? '', response.value);
	}
	const cells = (columns?.columns ?? []).map(({ key, answerId, choices }): [string, JsonValue] => [
		key,
		cellOf(answers.get(answerId), choices),
	]);
	// fromEntries defines its keys: a question named __proto__ becomes a key like any other.
	return Object.fromEntries([...Object.entries(ownCells(inspection, template)), ...cells]);
}

function ownCells(
	inspection: InspectionRecord,
	template: JsonRecord | undefined,
): Record<RowKey, JsonValue> {
	return {
		id: inspection.id,
		name: inspection.name ?? null,
		status: inspection.status ?? null,
		template: nameOrOf(inspection.template, template),
		team: nameOrOf(inspection.team, template?.team),
		created_at: inspection.created_at ?? null,
		created_by: displayName(inspection.created_by),
		updated_at: inspection.updated_at ?? null,
		updated_by: displayName(inspection.updated_by),
	};
}

/** The name; where the inspection carries the id only, the one that is known for that id. */
function nameOrOf(value: unknown, known: unknown): string | null {
	const name = displayName(value);
	const isIdOnly = name !== null && name === nestedId(value) && name === nestedId(known);
	return isIdOnly ? displayName(known) : name;
}

/** A value that fits a cell: several choices as text that reads as the same choices, anything nested as JSON. */
function cellOf(value: JsonValue | undefined, choices: readonly string[]): JsonValue {
	if (value === undefined || value === null) return null;
	if (isRecord(value)) return JSON.stringify(value);
	if (!Array.isArray(value)) return value;
	if (value.some((element) => typeof element === 'object')) return JSON.stringify(value);
	return value.length === 0 ? null : joinChoices(value.map(String), choices);
}
