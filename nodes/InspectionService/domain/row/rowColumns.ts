import type { Question, RepeatableSection } from '../template/question';
import { isRowKey } from '../rowKeys';
import type { StoredResponse } from '../answer/storedResponse';
import type { TemplateForm } from '../answer/templateForm';

/** One question's column of a row; `choices` is empty where the question has none or is not known. */
export interface RowColumn {
	readonly key: string;
	/** The answers that stand in it, see `RowColumns.answerId`. */
	readonly answerId: string;
	readonly choices: readonly string[];
}

/** The columns of one template's inspections, and which of them a response belongs to. */
export interface RowColumns {
	readonly columns: readonly RowColumn[];
	answerId(response: StoredResponse): string;
}

/**
 * The columns of the inspections of one template, `responses` being all of their answers: every question of the
 * template in its order, each with a column for every later instance that any of the inspections has; behind
 * them, by path, what was answered and is no question of the template (any more). Without `form`, where the
 * template may not be read, the answered questions by path in the order in which they are met.
 *
 * Auto-map takes a question's key for the same question and instance (`AnswerKeys.keyOf`) and the other keys for
 * none. No two keys are the same.
 */
export function rowColumns(
	responses: readonly StoredResponse[],
	form: TemplateForm | undefined,
): RowColumns {
	const questionOf = questionFinder(form);
	const idOf = (response: StoredResponse) => questionOf(response)?.fieldId ?? looseId(response);
	const instances = instancesBy(responses, questionOf);
	const keys = new ColumnKeys(form);
	const columns = (form?.questions ?? []).flatMap((question) => {
		const orders = instances.get(question.section ?? question.fieldId) ?? [];
		return ascending(new Set([1, ...orders])).map((order) => ({
			key: keys.ofQuestion(question, order),
			answerId: answerId(question.fieldId, order),
			choices: question.choices,
		}));
	});
	for (const [id, loose] of looseResponses(responses, questionOf)) {
		for (const order of ascending(instances.get(id) ?? new Set())) {
			const key = keys.ofLoose(loose, order);
			columns.push({ key, answerId: answerId(id, order), choices: [] });
		}
	}
	return { columns, answerId: (response) => answerId(idOf(response), response.order) };
}

type QuestionFinder = (response: StoredResponse) => Question | undefined;

function questionFinder(form: TemplateForm | undefined): QuestionFinder {
	const byField = new Map<string, Question>();
	const byControl = new Map<string, Question>();
	for (const question of form?.questions ?? []) {
		byField.set(question.fieldId, question);
		if (question.controlId !== '') byControl.set(question.controlId.toLowerCase(), question);
	}
	return ({ fieldId, controlId }) => byField.get(fieldId) ?? byControl.get(controlId.toLowerCase());
}

/** Names a response's question where the template does not have it. */
function looseId({ fieldId, controlId, path, label }: StoredResponse): string {
	return [fieldId, controlId, path, label].find((id) => id !== '') ?? '';
}

function answerId(questionId: string, order: number): string {
	return `${questionId}:${String(order)}`;
}

/** Instances by section, for all of its questions alike, and by id for questions outside of any. */
function instancesBy(
	responses: readonly StoredResponse[],
	questionOf: QuestionFinder,
): ReadonlyMap<RepeatableSection | string, ReadonlySet<number>> {
	const instances = new Map<RepeatableSection | string, Set<number>>();
	for (const response of responses) {
		const question = questionOf(response);
		const owner =
			question === undefined ? looseId(response) : (question.section ?? question.fieldId);
		const known = instances.get(owner) ?? new Set();
		instances.set(owner, known.add(response.order));
	}
	return instances;
}

function ascending(orders: ReadonlySet<number>): number[] {
	return [...orders].sort((a, b) => a - b);
}

function looseResponses(
	responses: readonly StoredResponse[],
	questionOf: QuestionFinder,
): ReadonlyMap<string, StoredResponse> {
	const loose = new Map<string, StoredResponse>();
	for (const response of responses) {
		const id = looseId(response);
		if (questionOf(response) === undefined && !loose.has(id)) loose.set(id, response);
	}
	return loose;
}

/** Hands out keys, each once and none of the row's own. */
class ColumnKeys {
	private readonly form: TemplateForm | undefined;
	private readonly taken = new Set<string>();

	constructor(form: TemplateForm | undefined) {
		this.form = form;
	}

	ofQuestion(question: Question, order: number): string {
		const key = this.form?.keys.keyOf(question) ?? question.name;
		return this.take([key, question.fieldId].map((base) => instanceKey(base, order)));
	}

	ofLoose(response: StoredResponse, order: number): string {
		const id = looseId(response);
		const name = response.path === '' ? response.label : response.path;
		const bases = [name, `${name} (${id})`.trim(), id];
		return this.take(bases.map((base) => instanceKey(base, order)).filter(this.isNoQuestion));
	}

	private readonly isNoQuestion = (key: string) =>
		key !== '' && (this.form === undefined || this.form.keys.find(key).kind === 'none');

	private take(candidates: readonly string[]): string {
		const [last = 'answer'] = candidates.slice(-1);
		let key = candidates.find((candidate) => this.isFree(candidate));
		// Only labels made to look like ids get here; a number in brackets is no instance to auto-map.
		for (let number = 2; key === undefined; number++) {
			const numbered = `${last} (${String(number)})`;
			if (this.isFree(numbered)) key = numbered;
		}
		this.taken.add(key);
		return key;
	}

	private isFree(key: string): boolean {
		return !this.taken.has(key) && !isRowKey(key);
	}
}

/** The service's own notation: a colon and the number behind later instances (interface, "Inspection data object"). */
function instanceKey(base: string, order: number): string {
	return order === 1 || base === '' ? base : `${base}:${String(order)}`;
}
