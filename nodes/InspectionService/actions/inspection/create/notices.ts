import type { CreatedInspection } from '../../../domain/create/createdInspection';
import { comparedText, lookalike, lookalikes } from '../../../domain/create/identity';
import {
	conflictAdvice,
	groupAdvice,
	mergedAdvice,
	mixedDecimals,
	type RefusedPlan,
} from '../../../domain/create/sheetAdvice';
import { SheetNotices } from '../../../domain/create/sheetNotices';
import type { Row } from '../../../domain/create/sheetRow';
import { listText } from '../../../domain/formatting';
import { groupBy } from '../../../domain/groupBy';
import { type JsonRecord, textOf } from '../../../domain/json';
import type { Hint } from '../../../domain/notices';
import { MAX_SEARCHED } from '../../../domain/request/serviceMessage';
import { expressionList, type FieldExpression } from './parameters';
import type { InspectionPlan, Sheet } from './plan';
import type { InspectionRequest } from './request';

/** Maximum number of questions in a hint. */
const HINTED_NAMES = 20;
/** Maximum number of the service's warnings in a hint. The output items contain all of them. */
const SHOWN_WARNINGS = 3;

const TASK_IS_OFF =
	"'Create Task' is off, so the fields of 'Task' aren't used. Turn it on, or remove the fields.";

type CreatedFacts = Pick<
	CreatedInspection,
	'already_existed' | 'changed_responses' | 'unstored_responses' | 'warnings'
>;

/**
 * Collects what a run reports besides items and problems, at most one notice of each kind. At the end, the notices are
 * hints above the output. If rows are rejected, the notices that can explain this are lines of the error. Doesn't use
 * n8n's hint groups (2.41), because their text is visible only after a click.
 */
export class CreateNotices {
	/** Notices about the cells and columns of the rows that were read. */
	readonly ofRows = new SheetNotices();
	private readonly sheet: Sheet;
	/** Hints about the rows that were skipped or grouped. */
	private readonly ofPlans: readonly Hint[];
	private readonly refused: RefusedPlan[] = [];
	private readonly created: CreatedFacts[] = [];
	/** Expressions that returned undefined for every row so far, or that read a column that no row has. */
	private unfilled: readonly FieldExpression[];
	private rowsLeft: number;

	constructor(sheet: Sheet, plans: readonly InspectionPlan[], ofPlans: readonly Hint[]) {
		const rowCount = plans.reduce((sum, { items }) => sum + items.length, 0);
		this.sheet = sheet;
		this.ofPlans = ofPlans;
		this.unfilled = rowCount === 0 ? [] : sheet.parameters.ofRows;
		this.rowsLeft = rowCount;
		for (const pair of lookalikesIn(plans, sheet)) this.ofRows.add('lookalike', pair);
	}

	/** Adds the rows of an inspection. `count` leaves out the heading of a group. */
	addRows(rows: readonly Row[], count: number): void {
		this.rowsLeft -= count;
		for (const name of rows.flatMap((row) => row.repaired ?? [])) {
			this.ofRows.add('repaired', `"${name}"`);
		}
		this.unfilled = this.unfilled.filter(({ part, name, lacksColumn }) =>
			rows.every((row) => {
				const fields = row[part];
				return fields !== undefined && (lacksColumn || fields[name] === undefined);
			}),
		);
	}

	/** Warns if the key of a new inspection looks like the key of an existing one. */
	async addLookalike(
		{ items: [first] }: InspectionPlan,
		{ keyed, template }: Pick<InspectionRequest, 'keyed' | 'template'>,
	): Promise<void> {
		const other = await keyed?.keys.lookalikeOf(keyed.key, template);
		if (keyed === undefined || other === undefined) return;
		const own = { value: keyed.key, where: `row ${String(this.sheet.numbers.of(first))}` };
		this.ofRows.add('lookalike', lookalike(own, { value: other, where: 'already exists' }));
	}

	addRefused(plan: RefusedPlan): void {
		this.refused.push(plan);
	}

	/**
	 * Adds an inspection that was created or already existed. `redact` removes the API key from the service's warnings.
	 */
	addCreated(
		{ already_existed, changed_responses, unstored_responses, warnings }: CreatedInspection,
		redact: ((text: string) => string) | undefined,
	): void {
		const shown = warnings.map((warning) => {
			const beginning = warning.slice(0, MAX_SEARCHED);
			return redact?.(beginning) ?? beginning;
		});
		this.created.push({ already_existed, changed_responses, unstored_responses, warnings: shown });
	}

	/** Returns the sentences that may explain why rows were rejected, before and after their problems. */
	ofErrors(): { first: string[]; last: string[] } {
		const { first, last } = this.ofRows.ofErrors();
		return { first: [...this.advice(), ...first], last };
	}

	/**
	 * Returns the hints of a run. `total` is the number of inspections in the run. With `isTest`, includes hints for new
	 * users.
	 */
	hints(total: number, isTest: boolean): Hint[] {
		const { unfilled, refused } = this;
		const empty = `No row has a value for ${expressionList(unfilled)}. Fields with only this expression weren't sent. Fields that also contain other text were sent without the value. Check that the rows have the columns in these expressions.`;
		return [
			...createdHints(this.created, total),
			// Leave out this hint if some rows weren't read, because those rows may have the values.
			...hintOf(this.rowsLeft > 0 ? 0 : unfilled.length, 'warning', empty),
			...hintOf(this.sheet.parameters.isTaskUnused ? 1 : 0, 'warning', TASK_IS_OFF),
			...this.ofPlans,
			...this.advice().map((message): Hint => ({ message, type: 'warning' })),
			...(isTest ? this.hintsToBeginners() : []),
			...this.ofRows.hints(refused.length > 0),
		];
	}

	/** Returns advice on the whole sheet, based on the problems of the rejected rows. */
	private advice(): string[] {
		const { refused } = this;
		const { rows, numbers, parameters } = this.sheet;
		const { groupColumn } = parameters;
		const grouped =
			groupColumn === undefined ? groupAdvice(rows, refused) : conflictAdvice(groupColumn, refused);
		const merged = grouped ?? mergedAdvice(rows, refused, numbers);
		const advice = [merged, mixedDecimals(rows, refused, numbers)];
		return advice.filter((sentence) => sentence !== undefined);
	}

	/** Returns hints for new users about a test run. Empty if no inspection was created. */
	private hintsToBeginners(): Hint[] {
		const { hasName, hasUniqueKey } = this.sheet.parameters;
		const count = this.created.filter((inspection) => !inspection.already_existed).length;
		const these = count === 1 ? 'this inspection' : `these ${String(count)} inspections`;
		const all = count === 1 ? 'this inspection' : `all ${String(count)} inspections`;
		const named = `'Name' is empty, so the service named ${these} after the template and the time.`;
		const again = `'Unique Key' is empty. If you run this again, the node creates ${all} again.`;
		return [
			...hintOf(hasName ? 0 : count, 'info', named),
			...hintOf(hasUniqueKey ? 0 : count, 'info', again),
		];
	}
}

/** Returns the hints about what was created, or existed already. `total` is the number of inspections in the run. */
export function createdHints(created: readonly CreatedFacts[], total: number): Hint[] {
	const existed = created.filter((inspection) => inspection.already_existed);
	const compared = created.filter((inspection) => !inspection.already_existed);
	const incomplete = compared.filter(({ unstored_responses: left }) => left?.length);
	const uncompared = compared.filter(({ unstored_responses: left }) => left === null);
	const warned = created.filter(({ warnings }) => warnings.length > 0);
	const changed = existed.filter(({ changed_responses: differing }) => differing?.length);
	const unknown = existed.filter(({ changed_responses: differing }) => differing === null);
	const labels = labelsOf(incomplete.map(({ unstored_responses: left }) => left));
	const changedLabels = labelsOf(changed.map(({ changed_responses: differing }) => differing));
	const warnings = [...new Set(warned.flatMap((inspection) => inspection.warnings))];
	const more = warnings.length - SHOWN_WARNINGS;
	const shown = warnings.slice(0, SHOWN_WARNINGS).join(' · ');
	const share = (some: readonly CreatedFacts[], type: Hint['type'], text: string) => {
		const inspections = total === 1 ? 'inspection' : 'inspections';
		const message = `${String(some.length)} of ${String(total)} ${inspections}: ${text}`;
		return hintOf(some.length, type, message);
	};
	const existedOf = `${String(existed.length)} of ${String(total)} ${total === 1 ? 'inspection' : 'inspections'}`;
	const unchecked =
		"the service's response contained no answers, so the stored answers couldn't be checked";
	const others = more > 0 ? ` · ${String(more)} more under "warnings"` : '';
	return [
		...share(incomplete, 'warning', `the service didn't store the answers to ${listOf(labels)}`),
		...share(uncompared, 'info', unchecked),
		...hintOf(
			existed.length,
			'info',
			`${existedOf} already existed (same unique key): nothing was sent for ${existed.length === 1 ? 'it' : 'them'}.`,
		),
		...share(
			changed,
			'warning',
			`the existing answers to ${listOf(changedLabels)} differ from the rows. The API can't update an inspection: change these answers in the service`,
		),
		...share(unknown, 'info', "the existing answers couldn't be compared with the rows"),
		...share(warned, 'warning', `warnings: ${shown}${others}`),
	];
}

/** Returns the groups, and the unique keys of a template, that look alike. */
function lookalikesIn(plans: readonly InspectionPlan[], { numbers }: Sheet): string[] {
	const of = (values: readonly (readonly [InspectionPlan, unknown])[]) =>
		lookalikes(
			values.flatMap(([{ items }, given]) => {
				const value = comparedText(given);
				return value === undefined ? [] : [{ value, where: `row ${String(numbers.of(items[0]))}` }];
			}),
		);
	const keys = groupBy(plans, ({ keySpace }) => keySpace);
	return [
		...of(plans.map((plan) => [plan, plan.refusal === undefined ? plan.group.group : null])),
		...[...keys.values()].flatMap((ofTemplate) => of(ofTemplate.map((plan) => [plan, plan.key]))),
	];
}

function hintOf(count: number, type: Hint['type'], message: string): Hint[] {
	return count === 0 ? [] : [{ message, type }];
}

function labelsOf(responses: readonly (readonly JsonRecord[] | null)[]): ReadonlySet<string> {
	const all = responses.flatMap((some) => some ?? []);
	return new Set(all.map(({ label }) => `"${textOf(label) ?? ''}"`));
}

function listOf(names: ReadonlySet<string>): string {
	return listText([...names].slice(0, HINTED_NAMES), names.size);
}
