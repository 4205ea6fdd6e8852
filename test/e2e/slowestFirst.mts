import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take minutes, the slowest first: two run at a time, and the last one to begin should be a short one. */
const SLOWEST = [
	'trigger.e2e.mts',
	'queueMode.e2e.mts',
	'settings.e2e.mts',
	'browser.e2e.mts',
	'pollRules.e2e.mts',
];

const rank = ({ moduleId }: TestSpecification) => {
	const place = SLOWEST.findIndex((file) => moduleId.endsWith(file));
	return place === -1 ? SLOWEST.length : place;
};

/** Runs the slowest files first; on a fresh clone nothing is known of how long each takes. */
export class SlowestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		return sorted.toSorted((a, b) => rank(a) - rank(b));
	}
}
