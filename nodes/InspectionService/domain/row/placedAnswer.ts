import { type ControlIds, type StoredResponse, storedResponsesOf } from '../answer/storedResponse';
import { nameOrOf } from '../displayName';
import { groupBy } from '../groupBy';
import { idKey } from '../id';
import { type JsonRecord, type JsonValue, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { isBlank } from '../normalizeText';
import { ROW_KEY, rowKey } from '../rowKeys';
import type { Form } from '../template/form';
import {
	isQuestion,
	type Question,
	type RepeatableSection,
	UniqueNames,
} from '../template/questions';
import { templateKey } from '../template/templateOfInspection';
import { type CellMaker, cellMaker, localTime } from './cell';

export interface PlacedAnswer {
	readonly response: StoredResponse;
	/** Undefined if the template doesn't contain the question, or couldn't be read. */
	readonly question: Question | undefined;
	readonly section: RepeatableSection | undefined;
	/** Which instance of the section this is in rows: 1 is the first. The service's number can differ (`answerPlacer`). */
	instance: number;
	readonly cell: JsonValue;
}

/**
 * Returns a function that assigns the answers of an inspection to questions, and numbers the instances of repeatable
 * sections for rows. `form` is the template of the inspections, or undefined if it couldn't be read.
 */
export function answerPlacer(form: Form | undefined, localZone?: string) {
	// Questions come last, so that they win over a control with the same ID, such as a photo.
	const controlOf = controlFinder([...(form?.unfillable ?? []), ...(form?.questions ?? [])]);
	const cellMakers = new Map<Question | string, CellMaker>();
	const cellMakerOf = (kind: Question | string): CellMaker => {
		const about = typeof kind === 'string' ? { type: kind, choices: [] } : kind;
		const makeCell = cellMakers.get(kind) ?? cellMaker(about, localZone);
		cellMakers.set(kind, makeCell);
		return makeCell;
	};
	return (inspection: JsonRecord): PlacedAnswer[] => {
		const zone = textOf(inspection.timezone);
		const stored = storedResponsesOf(inspection, (ids) => controlOf(ids)?.path) ?? [];
		const answers = stored.map((response): PlacedAnswer => {
			const control = controlOf(response);
			const question = control && isQuestion(control) ? control : undefined;
			const section = control?.section ?? undefined;
			const cell = cellMakerOf(question ?? response.type)(response.value, zone);
			return { response, question, section, instance: response.order, cell };
		});
		for (const [section, inSection] of groupBy(answers, (answer) => answer.section)) {
			if (section !== undefined) numberInstances(inSection);
		}
		return answers;
	};
}

/** Returns a function that finds the control of a stored answer by its field ID, else by its control ID. */
export function controlFinder<Control extends ControlIds>(controls: readonly Control[]) {
	const byField = new Map(controls.map((control) => [control.fieldId, control]));
	const byControl = new Map(controls.map((control) => [idKey(control.controlId), control]));
	byField.delete('');
	byControl.delete('');
	return ({ fieldId, controlId }: ControlIds) =>
		byField.get(fieldId) ?? byControl.get(idKey(controlId));
}

/**
 * Numbers the instances of a section for rows. Instances with an answer to a question come first, because Create rejects
 * an instance number without answers. For example, if instance 2 of 3 has only a photo, it becomes number 3 in rows, and
 * instance 3 becomes number 2.
 */
function numberInstances(inSection: readonly PlacedAnswer[]): void {
	const placed = inSection.map((answer) => ({ answer, place: placeOf(answer) }));
	const answered = placed.filter(({ answer }) => answer.question && !isBlank(answer.cell));
	const places = [answered, placed].flatMap((some) => some.map(({ place }) => place).sort());
	const numbers = new Map([...new Set(places)].map((place, index) => [place, index + 1]));
	for (const { answer, place } of placed) answer.instance = numbers.get(place) ?? answer.instance;
}

/**
 * Returns a text that identifies an instance, and sorts as the instances do. It has the numbers of the sections around
 * the instance that are in the stored path, unless all of them are 1, and then its own number. For example,
 * `Rooms:2/Doors/Lock:3` has 2, 1, and 3. Two instances in different outer instances can have the same own number.
 */
function placeOf({ response: { path, order }, question, section }: PlacedAnswer): string {
	const sortable = (number: number) => String(number).padStart(9, '0');
	const own = ` ${sortable(order)}`;
	if (section === undefined || path === question?.path) return own;
	const segments = path.split('/');
	const outer = section.path.split('/').map((label, index) => {
		const segment = segments[index] ?? '';
		const end = segment.startsWith(label) ? segment.slice(label.length) : '';
		return Number(/^:([1-9]\d{0,8})$/.exec(end)?.[1] ?? 1);
	});
	// The space before the own number sorts instances without outer numbers first.
	return outer.every((number) => number === 1) ? own : outer.map(sortable).join('/') + own;
}

/** Returns the ID of a stored answer, even if it refers to no control. */
export function answerId({ fieldId, controlId, path, label }: StoredResponse): string {
	return fieldId || controlId || path || label || 'answer';
}

/**
 * Returns the stored answers of inspections, which must have been fetched with `data`. The result has a list for each
 * inspection, with one record for each answer. All records have the same keys. `forms` contains the templates that
 * could be read, by `templateKey`.
 * `instance` is the service's number, even if rows use a different number. `row_key` is unique, and depends only on
 * what the service sends. So it stays the same if a question is deleted or its template can't be read.
 */
export function answerRecordsOf(
	inspections: readonly InspectionRecord[],
	forms: ReadonlyMap<string, Form>,
	localZone?: string,
): JsonRecord[][] {
	const placers = new Map<string, ReturnType<typeof answerPlacer>>();
	return inspections.map((inspection) => {
		const key = templateKey(inspection);
		const form = forms.get(key);
		const place = placers.get(key) ?? answerPlacer(form, localZone);
		placers.set(key, place);
		const about = {
			inspection_id: inspection.id,
			inspection_name: inspection.name ?? null,
			inspection_status: inspection.status ?? null,
			template: nameOrOf(inspection.template, form?.template),
			updated_at: localTime(inspection.updated_at, localZone),
		};
		const keys = new UniqueNames([]);
		return place(inspection).map((answer) => {
			const { response } = answer;
			const key = keys.add([rowKey(inspection.id, answerId(response), response.order)]);
			return { [ROW_KEY]: key, ...about, ...answerRecord(answer) };
		});
	});
}

function answerRecord({ response, question, section, cell }: PlacedAnswer): JsonRecord {
	const { label, path, type, fieldId, controlId } = question ?? response;
	return {
		section: section?.name ?? null,
		instance: response.order,
		label: label || null,
		path: path || null,
		type: type || null,
		field_id: fieldId || null,
		template_control_id: controlId || null,
		value: cell,
		response: response.response ?? null,
	};
}
