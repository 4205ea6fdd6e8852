import { InputError } from '../../../domain/inputError';
import { MemoryBudget } from '../../../domain/memoryBudget';
import type { Hint } from '../../../domain/notices';
import type { ItemOutput } from '../../../output/inspectionOutput';
import type { Done, Execution, Progress, Run } from '../../action';
import { callingExecutionOf } from '../../itemServices';
import { buildRequest, type InspectionRequest, type RequestSources } from './buildRequest';
import { type CheckedInspection, checkHint, checkInspection } from './checkOnly';
import { CreateNotices } from './collectNotices';
import { UniqueKeyIndexes } from './findByUniqueKey';
import { identifyInspections } from './identifyInspections';
import { type InspectionPlan, planInspections, readSheet, type Sheet } from './planInspections';
import { Attempts } from './recordAttempts';
import { type CreateOutcome, keptPart, renderCreated, TOO_LARGE_TO_KEEP } from './renderCreated';
import { createInspection, findExisting } from './sendRequest';

// The steps of Create, each in the file that it's named after:
//
// 1. `readSheet` cleans and numbers the rows, and reads the parameters (`readParameters`).
// 2. `planInspections` groups the rows: one plan for each inspection.
// 3. `identifyInspections` adds the service, template, and unique key of each plan, or why it's refused.
// 4. Check, for each plan: `buildRequest` reads its rows (`readRows`) and builds the request, or throws all problems.
//    `findExisting` searches for an inspection with the unique key (`findByUniqueKey`).
// 5. Send, after all checks: `createInspection`. `recordAttempts` remembers the outcome for retries.
// 6. Render: `renderCreated` returns the items, and `collectNotices` the hints. Check Only ends after step 4
//    (`checkOnly`).

/**
 * Creates one inspection per item or group of items. With Check Only, reports what would be created without creating
 * it.
 */
export async function startCreate(run: Run): Promise<Execution> {
	const sheet = readSheet(run);
	const create = new Create(sheet, await identifyInspections(planInspections(sheet), sheet));
	return sheet.parameters.checkOnly ? onlyChecked(create) : create;
}

class Create
	implements Execution<InspectionPlan, InspectionRequest | CreateOutcome, CreateOutcome>
{
	readonly plans: readonly InspectionPlan[];
	readonly sheet: Sheet;
	private readonly sources: RequestSources;
	private readonly attempts: Attempts;
	private readonly budget = new MemoryBudget(TOO_LARGE_TO_KEEP);

	constructor(sheet: Sheet, plans: readonly InspectionPlan[]) {
		this.sheet = sheet;
		this.plans = plans;
		const wanted = new Set(plans.flatMap(({ key }) => key ?? []));
		const search = { days: sheet.parameters.uniqueKeyDays, wanted };
		const indexes = new UniqueKeyIndexes(callingExecutionOf(sheet.context), search);
		const notices = new CreateNotices(sheet, plans);
		this.sources = { sheet, indexes, notices, known: new WeakMap() };
		this.attempts = new Attempts(sheet.context);
	}

	async check(plan: InspectionPlan): Promise<InspectionRequest | CreateOutcome> {
		const { outcome, outcomeUnknown } = this.attempts.at(plan.items) ?? {};
		if (outcome !== undefined) return outcome;
		if (outcomeUnknown !== undefined && plan.key === undefined) throw outcomeUnknown;
		const building = buildRequest(plan, this.sources, outcomeUnknown !== undefined);
		const request = await building.catch((error: unknown) => {
			if (error instanceof InputError) this.sources.notices.addRefused(plan, error);
			throw error;
		});
		const existing = await findExisting(request);
		if (existing !== undefined) return { created: existing, template: request.template };
		await this.sources.notices.addLookalike(plan, request);
		return request;
	}

	async send(
		checked: InspectionRequest | CreateOutcome,
		{ items }: InspectionPlan,
	): Promise<CreateOutcome> {
		const { output } = this.sheet.parameters;
		const { template } = checked;
		return await this.attempts.attempt(items, async () => {
			const created = 'created' in checked ? checked.created : await createInspection(checked);
			return { created: keptPart(created, output, this.budget), template };
		});
	}

	render(done: readonly Done<InspectionPlan, CreateOutcome>[]): ItemOutput[][] {
		const items = done.map(({ plan: { group, source }, outcome }) => {
			this.sources.notices.addCreated(outcome.created, source?.service.client.redact);
			return [{ json: renderCreated(outcome, this.sheet.parameters.output, group) }];
		});
		this.reportHints();
		return items;
	}

	/** `first` are hints that come before the others. */
	reportHints(...first: readonly Hint[]): void {
		this.sheet.notices.addEach([...first, ...this.sources.notices.hintsOfRun()]);
	}

	notices(): { first: string[]; last: string[] } {
		return this.sources.notices.ofErrors();
	}

	progress(reported: ReadonlySet<number>): Progress {
		return this.attempts.progress(this.plans, reported, this.sheet.numbers);
	}
}

/**
 * Checks like Create, but sends nothing. Each output item lists the problems of its rows. With the output Raw, it also
 * contains the request.
 */
function onlyChecked(
	create: Create,
): Execution<InspectionPlan, CheckedInspection, CheckedInspection> {
	return {
		plans: create.plans,
		check: async (plan) => await checkInspection(plan, create.check(plan), create.sheet),
		send: async (checked) => await Promise.resolve(checked),
		render: (done) => {
			const checked = done.map(({ outcome }) => outcome);
			create.reportHints(checkHint(checked));
			return checked.map(({ json }) => [{ json }]);
		},
		notices: () => create.notices(),
	};
}
