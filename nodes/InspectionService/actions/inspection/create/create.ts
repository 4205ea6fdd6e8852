import { InputError } from '../../../domain/inputError';
import { MemoryBudget } from '../../../domain/memoryBudget';
import type { Hint } from '../../../domain/notices';
import { parametersOf } from '../../../fields/field';
import { CREATE_OUTPUT } from '../../../fields/output';
import type { ItemOutput } from '../../../output/inspectionOutput';
import type { Done, Execution, Progress, Run } from '../../action';
import { callingExecutionOf } from '../../itemServices';
import { buildRequest, type RequestSources } from './buildRequest';
import { type CheckedInspection, checkHint, checkInspection } from './checkOnly';
import { CreateNotices } from './collectNotices';
import { UniqueKeyIndexes } from './findByUniqueKey';
import { type InspectionPlan, planInspections, readSheet } from './planInspections';
import { readOptions } from './readParameters';
import { readUniqueKeys } from './readUniqueKeys';
import { Attempts } from './recordAttempts';
import {
	type CheckedPlan,
	type CreateOutcome,
	keptPart,
	renderCreated,
	TOO_LARGE_TO_KEEP,
} from './renderCreated';
import { createInspection, findExisting } from './sendRequest';

// The steps of Create, each in the file that it's named after:
//
// 1. `readSheet` cleans and numbers the rows, and reads the parameters (`readParameters`).
// 2. `planInspections` groups the rows: one plan for each inspection.
// 3. `readUniqueKeys` adds the unique key of each plan, or why it's refused.
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
	const { plans: unkeyed, skipped } = planInspections(sheet);
	const { checkOnly, uniqueKeyDays: days, reading } = readOptions(sheet, unkeyed);
	const plans = await readUniqueKeys(unkeyed, sheet, run.services);
	const wanted = new Set(plans.flatMap(({ key }) => key ?? []));
	const indexes = new UniqueKeyIndexes(callingExecutionOf(run.context), { days, wanted });
	const notices = new CreateNotices(sheet, plans, skipped);
	const { services } = run;
	const sources = { services, sheet, indexes, notices, reading, known: new WeakMap() };
	const create = new Create(run, plans, sources);
	return checkOnly ? new CheckOnly(create) : create;
}

class Create implements Execution<InspectionPlan, CheckedPlan, CreateOutcome> {
	readonly plans: readonly InspectionPlan[];
	readonly sources: RequestSources;
	private readonly run: Run;
	private readonly attempts: Attempts;
	private readonly budget = new MemoryBudget(TOO_LARGE_TO_KEEP);

	constructor(run: Run, plans: readonly InspectionPlan[], sources: RequestSources) {
		this.run = run;
		this.plans = plans;
		this.sources = sources;
		this.attempts = new Attempts(run.context);
	}

	async check(plan: InspectionPlan): Promise<CheckedPlan> {
		return await this.checkPlan(plan).catch((error: unknown) => {
			if (error instanceof InputError) {
				this.sources.notices.addRefused({ items: plan.items, problems: error.problems });
			}
			throw error;
		});
	}

	private async checkPlan(plan: InspectionPlan): Promise<CheckedPlan> {
		const { output } = parametersOf(this.run.context, plan.items[0], { output: CREATE_OUTPUT });
		const { created, outcomeUnknown } = this.attempts.at(plan.items) ?? {};
		if (created !== undefined) return await this.checkAlreadyCreated(plan, output, created);
		if (outcomeUnknown !== undefined && plan.key === undefined) throw outcomeUnknown;
		const request = await buildRequest(plan, this.sources, outcomeUnknown !== undefined);
		const { template, service } = request;
		const existing = await findExisting(request);
		if (existing === undefined) {
			await this.sources.notices.addLookalike(plan, request);
			return { output, template, service, request };
		}
		return { output, template, service, created: existing };
	}

	async send(checked: CheckedPlan, plan: InspectionPlan): Promise<CreateOutcome> {
		const { output, template, service } = checked;
		const created = await this.attempts.attempt(plan.items, async () => {
			const inspection =
				'created' in checked ? checked.created : await createInspection(checked.request);
			return keptPart(inspection, output, this.budget);
		});
		return { output, template, service, created };
	}

	render(done: readonly Done<InspectionPlan, CreateOutcome>[]): ItemOutput[][] {
		const items = renderCreated(done, this.sources.notices);
		this.reportHints();
		return items;
	}

	/** `first` are hints that come before the others. */
	reportHints(...first: readonly Hint[]): void {
		const { notices, indexes } = this.sources;
		notices.addHidden(indexes.hiddenCount());
		this.run.notices.addEach([...first, ...notices.hints()]);
	}

	notices(): { first: string[]; last: string[] } {
		return this.sources.notices.ofErrors();
	}

	progress(reported: ReadonlySet<number>): Progress {
		return this.attempts.progress(this.plans, reported, this.run.numbers);
	}

	/**
	 * Handles an inspection that an earlier attempt of Retry On Fail created. Never throws, even if the credential or
	 * the template can't be read this time.
	 */
	private async checkAlreadyCreated(
		{ items: [item] }: InspectionPlan,
		output: CreateOutcome['output'],
		created: CreateOutcome['created'],
	): Promise<CheckedPlan> {
		const { services, sheet } = this.sources;
		const service = await services.of(item).catch(() => undefined);
		if (service === undefined || output === 'raw') {
			return { output, template: undefined, service, created };
		}
		const reading = Promise.resolve().then(() => sheet.parameters.templateOf(item));
		const template = await reading
			.then(async (reference) => await service.templates.get(reference))
			.catch(() => undefined);
		return { output, template, service, created };
	}
}

/**
 * Checks like Create, but sends nothing. Each output item lists the problems of its rows. With the output Raw, it also
 * contains the request.
 */
class CheckOnly implements Execution<InspectionPlan, CheckedInspection, CheckedInspection> {
	readonly plans: readonly InspectionPlan[];
	private readonly create: Create;
	/**
	 * Maps the error of a failed request to the rows whose output item describes it in full. Items of later rows refer
	 * to those rows.
	 */
	private readonly reported = new Map<unknown, string>();

	constructor(create: Create) {
		this.create = create;
		this.plans = create.plans;
	}

	async check(plan: InspectionPlan): Promise<CheckedInspection> {
		const { sheet } = this.create.sources;
		return await checkInspection(plan, this.create.check(plan), sheet, this.reported);
	}

	async send(checked: CheckedInspection): Promise<CheckedInspection> {
		return checked;
	}

	render(done: readonly Done<InspectionPlan, CheckedInspection>[]): ItemOutput[][] {
		const checked = done.map(({ outcome }) => outcome);
		this.create.reportHints(checkHint(checked));
		return checked.map(({ json }) => [{ json }]);
	}

	notices(): { first: string[]; last: string[] } {
		return this.create.notices();
	}
}
