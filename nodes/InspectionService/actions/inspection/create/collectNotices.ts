import type { CreatedInspection } from '../../../domain/create/createdInspection';
import { comparedText, lookalike, lookalikes } from '../../../domain/create/identity';
import {
	conflictAdvice,
	groupAdvice,
	mergedAdvice,
	mixedDecimals,
	type RefusedPlan,
	swappedDays,
} from '../../../domain/create/sheetAdvice';
import { SheetNotices } from '../../../domain/create/sheetNotices';
import type { Row } from '../../../domain/create/sheetRow';
import { groupBy } from '../../../domain/groupBy';
import { textOf } from '../../../domain/json';
import { isBlank } from '../../../domain/normalizeText';
import type { Hint } from '../../../domain/notices';
import { MAX_SEARCHED } from '../../../domain/request/serviceMessage';
import { rowsText } from '../../../domain/rowNumbers';
import type { InspectionRequest } from './buildRequest';
import type { InspectionPlan, Sheet, SkippedRow } from './planInspections';
import { expressionText, type FieldExpression } from './readParameters';

/**
 * Collects what a run reports besides items and problems, at most one notice of each kind (`KINDS`). At the end, the
 * notices are hints above the output. If rows are rejected, the notices that can explain this are lines of the error.
 * Doesn't use n8n's hint groups (2.41), because their text is visible only after a click.
 */
export class CreateNotices {
	private readonly all = new SheetNotices();
	private readonly sheet: Sheet;
	private readonly plans: readonly InspectionPlan[];
	private readonly refused: RefusedPlan[] = [];
	/** Expressions that returned undefined for every row so far, or that read a column that no row has. */
	private unfilled: readonly FieldExpression[];
	private rowsLeft: number;
	/** The first rows of inspections without a name, and whether others have one. */
	private readonly nameless: number[] = [];
	private hasNamed = false;

	constructor(sheet: Sheet, plans: readonly InspectionPlan[], skipped: readonly SkippedRow[]) {
		this.sheet = sheet;
		this.plans = plans;
		this.unfilled = sheet.parameters.ofRows;
		this.rowsLeft = plans.reduce((sum, { items }) => sum + items.length, 0);
		if (sheet.parameters.isTaskUnused) this.all.add('taskOff', '');
		const blank = skipped.filter(({ note }) => note === undefined);
		if (blank.length > 0) this.all.add('skipped', rowsText(blank.map(({ number }) => number)));
		for (const { note, number } of skipped) {
			if (note !== undefined) this.all.add('noted', note, number);
		}
		for (const pair of lookalikesIn(plans, sheet)) this.all.add('lookalike', pair);
	}

	/** Adds the rows of an inspection. `count` leaves out the heading of a group. */
	addRows(rows: readonly Row[], count: number): void {
		this.rowsLeft -= count;
		const isNamed = rows.some(({ additionalFields }) => !isBlank(additionalFields.name));
		if (isNamed) this.hasNamed = true;
		else this.nameless.push(...rows.slice(0, 1).map(({ number }) => number));
		for (const name of rows.flatMap((row) => row.misencoded ?? [])) {
			this.all.add('misencoded', `"${name}"`);
		}
		this.unfilled = this.unfilled.filter(({ part, name, lacksColumn }) =>
			rows.every((row) => {
				const fields = row[part];
				return fields !== undefined && (lacksColumn || fields[name] === undefined);
			}),
		);
		// Don't report an expression if some rows weren't read, because those rows may have its value.
		if (this.rowsLeft > 0) return;
		for (const field of this.unfilled) this.all.add('unfilled', expressionText(field));
	}

	/** Adds the notices about the cells and columns of an inspection's rows. */
	addAll(notices: SheetNotices): void {
		this.all.addAll(notices);
	}

	/** Warns if the key of a new inspection looks like the key of an existing one. */
	async addLookalike(
		{ items: [first] }: InspectionPlan,
		{ keyed, template }: Pick<InspectionRequest, 'keyed' | 'template'>,
	): Promise<void> {
		const other = await keyed?.keys.lookalikeOf(keyed.key, template);
		if (keyed === undefined || other === undefined) return;
		const own = { value: keyed.key, where: `row ${String(this.sheet.numbers.of(first))}` };
		this.all.add('lookalike', lookalike(own, { value: other, where: 'already exists' }));
	}

	addRefused(plan: RefusedPlan): void {
		this.refused.push(plan);
	}

	/**
	 * Adds an inspection that was created or already existed. `redact` removes the API key from the service's warnings.
	 */
	addCreated(created: CreatedInspection, redact?: (text: string) => string): void {
		addCreated(this.all, created, redact);
		const { context, parameters } = this.sheet;
		if (created.already_existed || context.getMode() !== 'manual') return;
		if (!parameters.hasName) this.all.addInspection('unnamed');
		if (!parameters.hasUniqueKey) this.all.addInspection('unkeyed');
	}

	/** Adds inspections of other templates whose custom fields the service's list doesn't show. */
	addHidden(count: number): void {
		if (count === 0) return;
		const many = count === 1 ? '1 inspection' : `${count.toLocaleString('en')} inspections`;
		this.all.add('hidden', many);
	}

	/** Returns the sentences that may explain why rows were rejected, before and after their problems. */
	ofErrors(): { first: string[]; last: string[] } {
		return this.withAdvice().ofErrors();
	}

	hints(): Hint[] {
		return this.withAdvice().hints(this.plans.length);
	}

	/** Adds advice on the whole sheet, based on the problems of the rejected rows. */
	private withAdvice(): SheetNotices {
		const { refused, sheet } = this;
		const { rows, numbers, parameters } = sheet;
		const { groupColumns } = parameters;
		const grouped =
			groupColumns.length === 0
				? groupAdvice(rows, refused)
				: conflictAdvice(groupColumns, refused);
		const notices = new SheetNotices();
		notices.addAll(this.all);
		const advice = [
			grouped ?? mergedAdvice(rows, refused, numbers),
			mixedDecimals(rows, refused, numbers),
			swappedDays(rows, numbers),
		];
		for (const text of advice) if (text !== undefined) notices.add('advice', text);
		if (this.hasNamed) for (const row of this.nameless) notices.add('nameless', '', row);
		return notices;
	}
}

/** Adds what the service stored differently, and its warnings. `redact` removes the API key from them. */
export function addCreated(
	notices: SheetNotices,
	{ already_existed, changed_responses, unstored_responses, warnings }: CreatedInspection,
	redact: (text: string) => string = (text) => text,
): void {
	const different = already_existed ? changed_responses : unstored_responses;
	const labels = different?.map(({ label }) => `"${textOf(label) ?? ''}"`);
	if (already_existed) notices.addInspection('existed');
	if (labels === undefined) notices.addInspection('unchecked');
	else if (labels.length > 0)
		notices.addInspection(already_existed ? 'changed' : 'unstored', labels);
	const texts = warnings.map((warning) => redact(warning.slice(0, MAX_SEARCHED)));
	if (texts.length > 0) notices.addInspection('warned', texts);
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
