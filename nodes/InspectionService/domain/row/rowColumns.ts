import type { StoredResponse } from '../answer/storedResponse';
import { isColumnKey } from '../rowKeys';
import type { Form } from '../template/form';
import type { ColumnNames } from '../template/keys';
import type { Question, RepeatableSection } from '../template/question';
import { ascending, type PlacedAnswer } from './placedAnswer';

/** One column of a row: its key, and the id of the cells that stand in it (`cellId`). */
export interface RowColumn {
	readonly key: string;
	readonly id: string;
}

/** How the rows of one template are laid out. */
export interface RowLayout {
	/** Undefined where the template may not be read. */
	readonly form: Form | undefined;
	readonly columnNames: ColumnNames;
	/** The section that has a row per instance; the other repeatable sections then have one column each. */
	readonly section: RepeatableSection | undefined;
	/** Keys that no column may have (see `RowOptions`). */
	readonly keysBehind: readonly string[];
}

/** The id of a cell. `owner` names a question, a section, or an answer whose question is not in the template. */
export function cellId(owner: string, place: number): string {
	return `${owner}:${String(place)}`;
}

/** Names the question that an answer belongs to, or the answer itself where the template has no such question. */
export function ownerOf({ question, response }: PlacedAnswer): string {
	return question === undefined ? `loose ${looseId(response)}` : questionOwner(question);
}

/** Names the column of a whole section. */
export function sectionOwner({ fieldId }: RepeatableSection): string {
	return `section ${fieldId}`;
}

function questionOwner({ fieldId }: Question): string {
	return `question ${fieldId}`;
}

function looseId({ fieldId, controlId, path, label }: StoredResponse): string {
	return [fieldId, controlId, path, label].find((id) => id !== '') ?? 'answer';
}

/** The (question, instance) pairs that occur in the inspections of one template. */
export class OccurringPairs {
	private readonly places = new Map<string, Set<number>>();
	/** The first answer of each owner that is no question of the template. */
	readonly loose = new Map<string, StoredResponse>();

	add(answer: PlacedAnswer, place: number): void {
		const owner = ownerOf(answer);
		if (answer.question === undefined && !this.loose.has(owner)) {
			this.loose.set(owner, answer.response);
		}
		this.addPlace(owner, place);
	}

	addQuestion(question: Question, place: number): void {
		this.addPlace(questionOwner(question), place);
	}

	private addPlace(owner: string, place: number): void {
		const known = this.places.get(owner) ?? new Set();
		this.places.set(owner, known.add(place));
	}

	placesOf(owner: string): Iterable<number> {
		return this.places.get(owner) ?? [];
	}
}

/**
 * The columns of one template's rows: every question of the template in its order, each with a column for every later
 * instance that is answered anywhere. After them come the answers whose question is not in the template (any more), in
 * the order in which they are met.
 *
 * Automatic mapping takes a question's key for the same question and instance, and the other keys for no question. No
 * two keys are the same, and none is an own key of rows.
 */
export function rowColumns(layout: RowLayout, pairs: OccurringPairs): RowColumn[] {
	const keys = new ColumnKeys(layout);
	const { form } = layout;
	const columns = form === undefined ? [] : questionColumns(form, layout, pairs, keys);
	for (const [owner, response] of pairs.loose) {
		for (const place of ascending(pairs.placesOf(owner))) {
			columns.push({ key: keys.ofLoose(response, place), id: cellId(owner, place) });
		}
	}
	return columns;
}

function questionColumns(
	form: Form,
	layout: RowLayout,
	pairs: OccurringPairs,
	keys: ColumnKeys,
): RowColumn[] {
	const columns: RowColumn[] = [];
	const withColumn = new Set<RepeatableSection>();
	const namesOf = (named: Question | RepeatableSection) => [
		form.keys.keyOf(named, layout.columnNames),
		named.fieldId,
	];
	for (const question of form.questions) {
		const { section } = question;
		if (layout.section === undefined || section === null || section === layout.section) {
			const owner = questionOwner(question);
			for (const place of ascending(new Set([1, ...pairs.placesOf(owner)])))
				columns.push({ key: keys.ofPlace(namesOf(question), place), id: cellId(owner, place) });
		} else if (!withColumn.has(section)) {
			withColumn.add(section);
			columns.push({
				key: keys.ofPlace(namesOf(section), 1),
				id: cellId(sectionOwner(section), 1),
			});
		}
	}
	return columns;
}

/** Hands out keys, each once. */
class ColumnKeys {
	private readonly form: Form | undefined;
	private readonly names: ColumnNames;
	private readonly taken: Set<string>;
	/** For each key that was numbered: the number to go on with. */
	private readonly nextNumbers = new Map<string, number>();

	constructor({ form, columnNames, keysBehind }: RowLayout) {
		this.taken = new Set(keysBehind);
		this.form = form;
		this.names = columnNames;
	}

	/** The key of an instance, from the first of the names that gives a free key. */
	ofPlace(names: readonly string[], place: number): string {
		return this.take(names.map((name) => instanceKey(name, place)));
	}

	ofLoose(response: StoredResponse, place: number): string {
		const id = looseId(response);
		const name = [response.path, response.label].find((text) => text !== '') ?? id;
		const named = [name, `${name} (${id})`];
		const bases = this.names === 'fieldId' ? [id, ...named] : [...named, id];
		return this.take(bases.map((base) => instanceKey(base, place)).filter(this.isNoQuestion));
	}

	private readonly isNoQuestion = (key: string) =>
		isColumnKey(key) && (this.form === undefined || this.form.keys.find(key).columns.length === 0);

	private take(candidates: readonly string[]): string {
		const free = (key: string) => isColumnKey(key) && !this.taken.has(key);
		const [last = 'answer'] = candidates.slice(-1);
		let key = candidates.find(free);
		// Only labels that look like ids get here. A number in brackets is no instance to automatic mapping.
		for (let number = this.nextNumbers.get(last) ?? 2; key === undefined; number++) {
			const numbered = `${last} (${String(number)})`;
			if (free(numbered)) key = numbered;
			this.nextNumbers.set(last, number + 1);
		}
		this.taken.add(key);
		return key;
	}
}

/**
 * A key in the service's own notation: later instances have a colon and their number
 * (StoredItem of docs/service.openapi.yaml).
 */
function instanceKey(base: string, place: number): string {
	return place === 1 ? base : `${base}:${String(place)}`;
}
