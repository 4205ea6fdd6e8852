import { copyOfError } from '../../transport/serviceError';
import type { Operation } from '../operation';
import { createAttempts } from './createAttempts';
import { createFields } from './createFields';
import { createUnkeyed } from './createInDoubt';
import { createKeyed } from './createKeyed';
import { concurrencyOf } from './createOptions';
import { createOutputs } from './createOutput';
import { CreateSummary, doneSoFar } from './createSummary';
import { createUnits } from './createUnits';
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
		action: 'Create inspection from a template',
		description: 'Create an inspection from a template, with answers and a task',
	},
	fields: createFields(),
	async begin(run) {
		const { context } = run;
		const groups = createUnits(context);
		const keys = await uniqueKeysOf(run, groups);
		const unfilled = new UnfilledExpressions(context, keys.units.flat().length);
		const requestOf = unitRequests(run, { groupColumn: groups.groupColumn, unfilled });
		const attempts = createAttempts(context, keys.units);
		const summary = new CreateSummary(keys.units.length);
		const outputs = createOutputs(run, groups, summary);
		return {
			concurrency: concurrencyOf(context),
			units: keys.units,
			async prepare(unit) {
				groups.check(unit);
				const output = outputs.of(unit);
				const key = keys.keyOf(unit);
				const earlier = attempts.earlierOf(unit);
				if (earlier !== undefined && 'created' in earlier) {
					return async () => await output(earlier.created);
				}
				if (earlier !== undefined && key === undefined) throw copyOfError(earlier.inDoubt);
				const request = await requestOf(unit);
				summary.addRequest(request);
				const create =
					key === undefined
						? createUnkeyed(request, () => attempts.createdIds())
						: await createKeyed(request, {
								key,
								isInDoubt: earlier !== undefined,
								lookUp: keys.lookUpIn(request.service),
							});
				return async () => await output(await attempts.attempt(unit, create));
			},
			hints: () => [summary, unfilled, groups, outputs].flatMap((part) => part.hints()),
			done: doneSoFar(attempts),
		};
	},
};
