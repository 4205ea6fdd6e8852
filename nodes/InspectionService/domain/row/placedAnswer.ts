import { type StoredResponse, storedResponsesOf } from '../answer/storedResponse';
import { idKey } from '../id';
import type { JsonRecord, JsonValue } from '../json';
import { isBlank } from '../plainText';
import type { Form } from '../template/form';
import type { Question, RepeatableSection } from '../template/questions';
import { cellMaker, type MakeCell } from './cell';

/** One stored answer and where it belongs. */
export interface PlacedAnswer {
	readonly response: StoredResponse;
	/** Undefined where the template does not have the question (any more), or where the template may not be read. */
	readonly question: Question | undefined;
	/** The repeatable section that it is in; undefined outside of any. */
	readonly section: RepeatableSection | undefined;
	/** The instance of the section as rows count them, 1 for the first. */
	readonly place: number;
	readonly cell: JsonValue;
}

/** Reads the stored answers of an inspection, in the service's order; none where it came without `data`. */
type PlaceAnswers = (inspection: JsonRecord) => PlacedAnswer[];

/**
 * Places the answers of inspections of one template. `form` is undefined where the template may not be read; then no
 * answer has a question. With `localZone` the cells have local dates (see `cellMaker`).
 *
 * In rows, instances with an answer to a question come first, because Create takes no number without an answer. For
 * example, instance 2 of 3 has only a photo: rows count instance 3 as the second, and instance 2 with its photo as the
 * third.
 */
export function answerPlacer(form: Form | undefined, localZone?: string): PlaceAnswers {
	const questionOf = questionFinder(form);
	const sectionAround = sectionFinder(form?.sections ?? []);
	const makeCell = cellMakers(localZone);
	return (inspection) => {
		const answers = (storedResponsesOf(inspection) ?? []).map((response) => {
			const question = questionOf(response);
			const section =
				question === undefined ? sectionAround(response.path) : (question.section ?? undefined);
			return { response, question, section, cell: makeCell(response, question)(response.value) };
		});
		const places = placesOf(answers);
		return answers.map((answer) => {
			const { section, response } = answer;
			const place = section === undefined ? undefined : places.get(section)?.get(response.order);
			return { ...answer, place: place ?? response.order };
		});
	};
}

/** Finds the question of a response, by its field id, else by its control id in any form of a GUID. */
function questionFinder(form: Form | undefined) {
	const byField = new Map<string, Question>();
	const byControl = new Map<string, Question>();
	for (const question of form?.questions ?? []) {
		byField.set(question.fieldId, question);
		if (question.controlId !== '') byControl.set(idKey(question.controlId), question);
	}
	return ({ fieldId, controlId }: StoredResponse) =>
		byField.get(fieldId) ?? byControl.get(idKey(controlId));
}

/**
 * Names at the beginning of a path that are looked at, because each look-up costs the length of the path up to there.
 * Forms have a handful of levels.
 */
const MAX_PATH_NAMES = 20;

/** Finds the inmost repeatable section that a path leads through. */
function sectionFinder(sections: readonly RepeatableSection[]) {
	const byPath = new Map<string, RepeatableSection>();
	for (const section of sections) {
		if (section.path !== '' && !byPath.has(section.path)) byPath.set(section.path, section);
	}
	return (path: string) => {
		let inmost: RepeatableSection | undefined;
		let end = path.indexOf('/');
		for (let names = 1; end >= 0 && names <= MAX_PATH_NAMES; names++) {
			inmost = byPath.get(path.slice(0, end)) ?? inmost;
			end = path.indexOf('/', end + 1);
		}
		return inmost;
	};
}

/** One `MakeCell` per question, and one per type for answers without one. */
function cellMakers(localZone: string | undefined) {
	const makers = new Map<Question | string, MakeCell>();
	return (response: StoredResponse, question: Question | undefined): MakeCell => {
		const key = question ?? response.type;
		const maker =
			makers.get(key) ?? cellMaker(question ?? { type: response.type, choices: [] }, localZone);
		makers.set(key, maker);
		return maker;
	};
}

type Places = ReadonlyMap<RepeatableSection, ReadonlyMap<number, number>>;

/** For each section: the service's number of each instance, and its place in rows. */
function placesOf(answers: readonly Omit<PlacedAnswer, 'place'>[]): Places {
	const orders = new Map<RepeatableSection, { answered: Set<number>; all: Set<number> }>();
	for (const { section, question, response, cell } of answers) {
		if (section === undefined) continue;
		const known = orders.get(section) ?? { answered: new Set(), all: new Set() };
		orders.set(section, known);
		known.all.add(response.order);
		if (question !== undefined && !isBlank(cell)) known.answered.add(response.order);
	}
	return new Map(
		[...orders].map(([section, { answered, all }]) => {
			const inOrder = new Set([...ascending(answered), ...ascending(all)]);
			return [section, new Map([...inOrder].map((order, index) => [order, index + 1]))];
		}),
	);
}

/** Numbers from the smallest to the largest. */
export function ascending(numbers: Iterable<number>): number[] {
	return [...numbers].sort((a, b) => a - b);
}
