import { InputError } from '../../../domain/inputError';
import { MemoryBudget } from '../../../domain/memoryBudget';
import type { ItemOutput } from '../../../output/inspectionOutput';
import type { Done, Execution, Progress, Run } from '../../action';
import { Attempts } from './attempts';
import { type CheckedInspection, checkHint, checkInspection } from './checkOnly';
import { CreateNotices } from './notices';
import {
	type CheckedPlan,
	chosenOutput,
	type CreateOutcome,
	keptPart,
	renderCreated,
	TOO_LARGE_TO_KEEP,
} from './output';
import { runOptions } from './parameters';
import { type InspectionPlan, planInspections, type Sheet, sheetOf, withUniqueKeys } from './plan';
import { CreateRequests } from './request';
import { createInspection, findExisting } from './send';
import type { UniqueKeyIndexes } from './uniqueKeyIndex';

/** Data that all planned inspections of a run share. */
interface CreateRun {
	readonly run: Run;
	readonly sheet: Sheet;
	readonly plans: readonly InspectionPlan[];
	readonly requests: CreateRequests;
	readonly notices: CreateNotices;
	readonly uniqueKeyIndexes: UniqueKeyIndexes;
}

/**
 * Creates one inspection per item or group of items. With Check Only, reports what would be created without creating
 * it.
 */
export async function startCreate(run: Run): Promise<Execution> {
	const sheet = sheetOf(run);
	const { plans: unkeyed, skipped } = planInspections(sheet);
	const { context, numbers, services } = run;
	const { parameters } = sheet;
	const items = unkeyed.flatMap((plan) => plan.items);
	const options = runOptions(context, parameters, items, numbers);
	const keyed = await withUniqueKeys(unkeyed, sheet, services, options.uniqueKeyDays);
	const { plans, uniqueKeyIndexes } = keyed;
	const notices = new CreateNotices(sheet, plans, skipped);
	const requests = new CreateRequests(run, sheet, uniqueKeyIndexes, notices, options.reading);
	const create = new Create({ run, sheet, plans, requests, notices, uniqueKeyIndexes });
	return options.checkOnly ? new CheckOnly(create) : create;
}

class Create implements Execution<InspectionPlan, CheckedPlan, CreateOutcome> {
	readonly plans: readonly InspectionPlan[];
	readonly all: CreateRun;
	private readonly attempts: Attempts;
	private readonly budget = new MemoryBudget(TOO_LARGE_TO_KEEP);

	constructor(all: CreateRun) {
		this.all = all;
		this.plans = all.plans;
		this.attempts = new Attempts(
			all.run.context,
			all.plans.map(({ items }) => items),
		);
	}

	async check(plan: InspectionPlan): Promise<CheckedPlan> {
		return await this.checkPlan(plan).catch((error: unknown) => {
			if (error instanceof InputError) {
				this.all.notices.addRefused({ items: plan.items, problems: error.problems });
			}
			throw error;
		});
	}

	private async checkPlan(plan: InspectionPlan): Promise<CheckedPlan> {
		const output = chosenOutput(this.all.run.context, plan);
		const { created, outcomeUnknown } = this.attempts.at(plan.items) ?? {};
		if (created !== undefined) return await this.checkAlreadyCreated(plan, output, created);
		if (outcomeUnknown !== undefined && plan.key === undefined) throw outcomeUnknown;
		const request = await this.all.requests.requestFor(plan, outcomeUnknown !== undefined);
		const { template, service } = request;
		const existing = await findExisting(request);
		if (existing === undefined) {
			await this.all.notices.addLookalike(plan, request);
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
		const items = renderCreated(done, this.all.notices);
		this.reportHints();
		return items;
	}

	reportHints(): void {
		const { run, notices, uniqueKeyIndexes } = this.all;
		notices.addHidden(uniqueKeyIndexes.hiddenCount());
		run.notices.addEach(notices.hints());
	}

	notices(): { first: string[]; last: string[] } {
		return this.all.notices.ofErrors();
	}

	progress(reported: ReadonlySet<number>): Progress {
		return this.attempts.progress(reported, this.all.run.numbers);
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
		const { run, sheet } = this.all;
		const service = await run.services.of(item).catch(() => undefined);
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
		const { sheet } = this.create.all;
		return await checkInspection(plan, this.create.check(plan), sheet, this.reported);
	}

	async send(checked: CheckedInspection): Promise<CheckedInspection> {
		return checked;
	}

	render(done: readonly Done<InspectionPlan, CheckedInspection>[]): ItemOutput[][] {
		const checked = done.map(({ outcome }) => outcome);
		this.create.all.run.notices.addEach([checkHint(checked)]);
		this.create.reportHints();
		return checked.map(({ json }) => [{ json }]);
	}

	notices(): { first: string[]; last: string[] } {
		return this.create.notices();
	}
}
