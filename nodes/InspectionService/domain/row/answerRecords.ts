import { nameOrOf } from '../displayName';
import type { JsonRecord } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { shownTime } from './localDate';
import { answerPlacer, type PlacedAnswer } from './placedAnswer';
import { type KnownTemplate, type KnownTemplates, templateKey } from './row';

/**
 * The stored answers of inspections (read with `data`): a list for each inspection, with one record for each answer, in
 * the service's order. All records have the same keys. `value` is the content of a row's cell, and `response` is what
 * the service stores. `instance` is the service's own number of the instance, also where rows count otherwise. With
 * `localZone` (IANA) times are as people write them there.
 */
export function answerRecordsOf(
	inspections: readonly InspectionRecord[],
	templates: KnownTemplates,
	localZone?: string,
): JsonRecord[][] {
	const placers = new Map<string, ReturnType<typeof answerPlacer>>();
	return inspections.map((inspection) => {
		const key = templateKey(inspection);
		const template = templates.get(key);
		const placeAnswers = placers.get(key) ?? answerPlacer(template?.form, localZone);
		placers.set(key, placeAnswers);
		const about = aboutInspection(inspection, template, localZone);
		return placeAnswers(inspection).map((answer) => ({ ...about, ...answerRecord(answer) }));
	});
}

function aboutInspection(
	inspection: InspectionRecord,
	template: KnownTemplate | undefined,
	localZone: string | undefined,
): JsonRecord {
	return {
		inspection_id: inspection.id,
		inspection_name: inspection.name ?? null,
		inspection_status: inspection.status ?? null,
		template: nameOrOf(inspection.template, template?.record),
		updated_at: shownTime(inspection.updated_at, localZone),
	};
}

function answerRecord({ response, question, section, cell }: PlacedAnswer): JsonRecord {
	const { label, path, type, fieldId, controlId } = question ?? response;
	return {
		section: section?.name ?? null,
		instance: response.order,
		label: textOrNull(label),
		path: textOrNull(path),
		type: textOrNull(type),
		field_id: textOrNull(fieldId),
		template_control_id: textOrNull(controlId),
		value: cell,
		response: response.response ?? null,
	};
}

function textOrNull(text: string): string | null {
	return text === '' ? null : text;
}
