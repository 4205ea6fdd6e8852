import { copyOfError } from '../../transport/serviceError';
import type { OperationRun, OperationSteps } from '../operation';
import type { CheckedBy } from './createCheck';
import { createOutputs } from './createOutput';
import { type CreateSummary, doneSoFar } from './createSummary';
import { createKeyed } from './keyLookUp';
import { createAttempts, createUnkeyed } from './madeInExecution';

/** Creates the inspections of units: each is checked first, then sent. */
export function sendUnits(
	run: OperationRun,
	{ groups, keys, requestOf }: CheckedBy,
	summary: CreateSummary,
): Required<Pick<OperationSteps, 'prepare' | 'hints' | 'done'>> {
	const attempts = createAttempts(run.context, keys.units);
	const outputs = createOutputs(run, groups, summary);
	return {
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
		hints: () => outputs.hints(),
		done: doneSoFar(attempts, groups.numbers),
	};
}
