import type { CreatedInspection } from '../../../domain/create/createdInspection';
import { comparedText, lookalike, lookalikes } from '../../../domain/create/identity';
import { rowName } from '../../../domain/create/inspectionRows';
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
import type { InputError } from '../../../domain/inputError';
import { textOf } from '../../../domain/json';
import { isBlank } from '../../../domain/normalizeText';
import type { Hint } from '../../../domain/notices';
import { MAX_SEARCHED } from '../../../domain/request/serviceMessage';
import { rowsText } from '../../../domain/rowNumbers';
import type { InspectionRequest } from './buildRequest';
import type { InspectionPlan, Sheet } from './planInspections';
import { expressionText, type FieldExpression } from './readParameters';

/**
 * Collects what a run reports besides items and problems, at most one notice of each kind (`KINDS`). At the end, the
 * notices are hints above the output. If rows are rejected, the notices that can explain this are lines of the error.
 * Doesn't use n8n's hint groups (2.41), because their text is visible only after a click.
 */
export class CreateNotices extends SheetNotices {
	private readonly sheet: Sheet;
	private readonly plans: readonly InspectionPlan[];
	private readonly refused: RefusedPlan[] = [];
	/** Expressions that returned undefined for every row so far, or that read a column that no row has. */
	private unfilled: readonly FieldExpression[];
	private plansLeft: number;
	/** The first rows of inspections without a name, and whether others have one. */
	private readonly nameless: number[] = [];
	private hasNamed = false;

	constructor(sheet: Sheet, plans: readonly InspectionPlan[]) {
		super();
		this.sheet = sheet;
		this.plans = plans;
		this.unfilled = sheet.parameters.ofRows;
		this.plansLeft = plans.length;
		if (sheet.parameters.isTaskUnused) this.add('taskOff', '');
		this.addSkipped();
		for (const pair of lookalikesIn(plans, sheet)) this.add('lookalike', pair);
	}

	/** Adds the rows that are no inspections: blank rows, and rows with a note in the column of Group Rows By. */
	private addSkipped(): void {
		const { rows, numbers } = this.sheet;
		const kept = new Set(this.plans.flatMap(({ items, headings }) => [...items, ...headings]));
		const blank: number[] = [];
		for (const [index, row] of rows.entries()) {
			const note = rowName(row);
			if (kept.has(index)) continue;
			if (note === undefined) blank.push(numbers.of(index));
			else this.add('noted', note, numbers.of(index));
		}
		if (blank.length > 0) this.add('skipped', rowsText(blank));
	}

	/** Adds the rows of an inspection. */
	addRows(rows: readonly Row[]): void {
		this.plansLeft -= 1;
		const isNamed = rows.some(({ additionalFields }) => !isBlank(additionalFields.name));
		if (isNamed) this.hasNamed = true;
		else this.nameless.push(...rows.slice(0, 1).map(({ number }) => number));
		for (const name of rows.flatMap((row) => row.misencoded ?? [])) {
			this.add('misencoded', `"${name}"`);
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
		{ keyed, template }: InspectionRequest,
	): Promise<void> {
		if (keyed === undefined) return;
		const other = (await keyed.keys.known()).lookalikeOf(keyed.key, template);
		if (other === undefined) return;
		const own = { value: keyed.key, where: rowsText([this.sheet.numbers.of(first)]) };
		this.add('lookalike', lookalike(own, { value: other, where: 'already exists' }));
	}

	addRefused({ items }: InspectionPlan, { problems }: InputError): void {
		this.refused.push({ items, problems });
	}

	/**
	 * Adds an inspection that was created or already existed. `redact` removes the API key from the service's warnings.
	 */
	addCreated(created: CreatedInspection, redact?: (text: string) => string): void {
		addCreated(this, created, redact);
		if (created.already_existed || this.sheet.context.getMode() !== 'manual') return;
		if (!this.hasNamed) this.addInspection('unnamed');
		if (!this.sheet.parameters.hasUniqueKey) this.addInspection('unkeyed');
	}

	/** Returns the sentences that may explain why rows were rejected, before and after their problems. */
	override ofErrors(): { first: string[]; last: string[] } {
		return this.withAdvice().ofErrors();
	}

	hintsOfRun(): Hint[] {
		return this.withAdvice().hints(this.plans.length);
	}

	/** Returns all notices, with advice on the whole sheet, based on all rows and the problems of the rejected ones. */
	private withAdvice(): SheetNotices {
		const all = new SheetNotices();
		all.addAll(this);
		const { refused, sheet } = this;
		const { rows, numbers, parameters } = sheet;
		const { groupColumns } = parameters;
		const grouping =
			groupColumns.length === 0
				? groupAdvice(rows, refused)
				: conflictAdvice(groupColumns, refused);
		const advice = [
			grouping ?? mergedAdvice(rows, refused, numbers),
			mixedDecimals(rows, refused, numbers),
			swappedDays(rows, numbers),
		];
		for (const text of advice) if (text !== undefined) all.add('advice', text);
		if (this.hasNamed) for (const row of this.nameless) all.add('nameless', '', row);
		// Don't report an expression if some rows weren't read, because those rows may have its value.
		const isComplete = this.plansLeft === 0 && this.plans.length > 0;
		for (const field of isComplete ? this.unfilled : []) all.add('unfilled', expressionText(field));
		return all;
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

/** Returns the groups that look alike, and the unique keys. */
function lookalikesIn(plans: readonly InspectionPlan[], { numbers }: Sheet): string[] {
	const accepted = plans.filter(({ refusal }) => refusal === undefined);
	const among = (valueOf: (plan: InspectionPlan) => unknown) =>
		lookalikes(
			accepted.flatMap((plan) => {
				const value = comparedText(valueOf(plan));
				const where = rowsText([numbers.of(plan.items[0])]);
				return value === undefined ? [] : [{ value, where }];
			}),
		);
	return [...among(({ group }) => group.group), ...among(({ key }) => key)];
}
