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
	type Question,
	type RepeatableSection,
	type UnfillableControl,
	UniqueNames,
} from '../template/questions';
import { templateKey } from '../template/templateOfInspection';
import { type CellMaker, cellMaker, localTime } from './cell';

export interface PlacedAnswer {
	readonly response: StoredResponse;
	/** Undefined if the template doesn't contain the question, or couldn't be read. */
	readonly question: Question | undefined;
	readonly section: RepeatableSection | undefined;
	/** Which instance of the section this is in rows: 1 is the first. The service's number can differ (`AnswerPlacer`). */
	readonly instance: number;
	readonly cell: JsonValue;
}

/**
 * Assigns answers to questions, and numbers the instances of repeatable sections for rows. Handles the inspections of
 * one template. `form` is undefined if the template couldn't be read.
 * Instances with an answer to a question come first, because Create rejects an instance number without answers. For
 * example, if instance 2 of 3 has only a photo, it becomes number 3 in rows, and instance 3 becomes number 2.
 */
export class AnswerPlacer {
	private readonly localZone: string | undefined;
	private readonly questionOf: (ids: ControlIds) => Question | undefined;
	private readonly unfillableOf: (ids: ControlIds) => UnfillableControl | undefined;
	private readonly cellMakers = new Map<Question | string, CellMaker>();

	constructor(form: Form | undefined, localZone?: string) {
		this.localZone = localZone;
		this.questionOf = questionFinder(form);
		this.unfillableOf = unfillableFinder(form);
	}

	place(inspection: JsonRecord): PlacedAnswer[] {
		const zone = textOf(inspection.timezone);
		const controlOf = (ids: ControlIds) => this.questionOf(ids) ?? this.unfillableOf(ids);
		const stored = storedResponsesOf(inspection, (ids) => controlOf(ids)?.path) ?? [];
		const answers = stored.map((response) => {
			const question = this.questionOf(response);
			const { section } = question ?? this.unfillableOf(response) ?? {};
			const cell = this.cellOf(response, question, zone);
			return { response, question, section: section ?? undefined, instance: response.order, cell };
		});
		for (const [section, inSection] of groupBy(answers, (answer) => answer.section)) {
			if (section === undefined) continue;
			const instances = instancesInRows(inSection);
			for (const answer of inSection)
				answer.instance = instances.get(placeOf(answer).join()) ?? answer.instance;
		}
		return answers;
	}

	private cellOf(
		{ type, value }: StoredResponse,
		question: Question | undefined,
		zone: string | undefined,
	): JsonValue {
		const known = this.cellMakers.get(question ?? type);
		const makeCell = known ?? cellMaker(question ?? { type, choices: [] }, this.localZone);
		this.cellMakers.set(question ?? type, makeCell);
		return makeCell(value, zone);
	}
}

function questionFinder(form: Form | undefined) {
	const byField = new Map<string, Question>();
	const byControl = new Map<string, Question>();
	for (const question of form?.questions ?? []) {
		byField.set(question.fieldId, question);
		if (question.controlId !== '') byControl.set(idKey(question.controlId), question);
	}
	return ({ fieldId, controlId }: ControlIds) =>
		byField.get(fieldId) ?? byControl.get(idKey(controlId));
}

/**
 * Returns a function that finds the control of a response that matches no question, such as a photo. Compares control
 * IDs, then field IDs.
 */
function unfillableFinder(form: Form | undefined) {
	const byField = new Map<string, UnfillableControl>();
	const byControl = new Map<string, UnfillableControl>();
	for (const control of form?.unfillable ?? []) {
		const { fieldId, controlId } = control;
		if (fieldId !== '' && !byField.has(fieldId)) byField.set(fieldId, control);
		if (controlId !== '') byControl.set(idKey(controlId), control);
	}
	return ({ fieldId, controlId }: ControlIds) =>
		byControl.get(idKey(controlId)) ?? byField.get(fieldId);
}

/**
 * Maps the instances of a section, as texts of `placeOf`, to their numbers in rows. Instances that answer at least one
 * question of the template get the first numbers.
 */
function instancesInRows(
	inSection: readonly Omit<PlacedAnswer, 'instance'>[],
): Map<string, number> {
	const answered = inSection.filter(({ question, cell }) => question && !isBlank(cell));
	const places = [answered, inSection].flatMap((answers) =>
		answers
			.map(placeOf)
			.sort(comparePlaces)
			.map((place) => place.join()),
	);
	return new Map([...new Set(places)].map((place, index) => [place, index + 1]));
}

/**
 * Returns the numbers that identify an instance: those of the sections around it that are in the stored path, and its
 * own. For example, `Rooms:2/Doors/Lock:3` is [2, 1, 3]. Two instances in different outer instances can have the
 * same own number.
 */
function placeOf({
	response: { path, order },
	question,
	section,
}: Pick<PlacedAnswer, 'response' | 'question' | 'section'>): number[] {
	if (section === undefined || path === question?.path) return [order];
	const segments = path.split('/');
	const outer = section.path.split('/').map((label, index) => {
		const segment = segments[index] ?? '';
		const end = segment.startsWith(label) ? segment.slice(label.length) : '';
		return Number(/^:([1-9]\d{0,8})$/.exec(end)?.[1] ?? 1);
	});
	return outer.every((number) => number === 1) ? [order] : [...outer, order];
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
	if (a.length !== b.length) return a.length - b.length;
	const index = a.findIndex((number, at) => number !== b[at]);
	return (a[index] ?? 0) - (b[index] ?? 0);
}

export function ascending(numbers: Iterable<number>): number[] {
	return [...numbers].sort((a, b) => a - b);
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
	const placers = new Map<string, AnswerPlacer>();
	return inspections.map((inspection) => {
		const key = templateKey(inspection);
		const form = forms.get(key);
		const placer = placers.get(key) ?? new AnswerPlacer(form, localZone);
		placers.set(key, placer);
		const about = {
			inspection_id: inspection.id,
			inspection_name: inspection.name ?? null,
			inspection_status: inspection.status ?? null,
			template: nameOrOf(inspection.template, form?.template),
			updated_at: localTime(inspection.updated_at, localZone),
		};
		const keys = new UniqueNames([]);
		return placer.place(inspection).map((answer) => {
			const { fieldId, controlId, path, label, order } = answer.response;
			const question = fieldId || controlId || path || label || 'answer';
			const key = keys.add([rowKey(inspection.id, question, order)]);
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
