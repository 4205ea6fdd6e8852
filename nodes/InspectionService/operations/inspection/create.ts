import type { Operation, Unit } from '../operation';
import { checkUnits, isCheckOnly } from './createCheck';
import { createFields } from './createFields';
import { concurrencyOf } from './createOptions';
import { CreateSummary } from './createSummary';
import { createUnits } from './createUnits';
import { sendUnits } from './sendUnits';
import { UnfilledExpressions } from './unfilledExpressions';
import { uniqueKeysOf } from './uniqueKeys';
import { unitRequests } from './unitRequests';

/**
 * Creates one inspection per item, or per group of items: answers are checked before anything is sent, and compared
 * with what was stored.
 */
export const createInspection: Operation = {
	resource: 'inspection',
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create inspection from template',
		description: 'Create an inspection from a template, with answers and a task',
	},
	fields: createFields(),
	async begin(run) {
		const { context } = run;
		const groups = createUnits(context);
		const keys = await uniqueKeysOf(run, groups);
		const unfilled = new UnfilledExpressions(context, keys.units.flat().length);
		const makeRequest = unitRequests(run, { groups, unfilled });
		const summary = new CreateSummary(keys.units.length);
		const requestOf = async (unit: Unit) => {
			const request = await makeRequest(unit);
			summary.addRequest(request);
			return request;
		};
		const work = { groups, keys, requestOf };
		const { hints, ...steps } = isCheckOnly(context)
			? checkUnits(context, work)
			: sendUnits(run, work, summary);
		return {
			...steps,
			concurrency: concurrencyOf(context),
			units: keys.units,
			advice: (refused) => groups.advice(refused),
			nameOf: (unit) => groups.nameOf(unit) ?? keys.nameOf(unit),
			hints: () => [{ hints }, summary, unfilled, groups].flatMap((part) => part.hints()),
		};
	},
};
