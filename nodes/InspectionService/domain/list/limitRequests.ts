import type { ListPage } from './askPage';

/** A list whose requests wait while too many are under way. */
export interface LimitedRequests {
	list: ListPage;
	/** How many requests are under way or waiting. */
	underWay(): number;
}

/**
 * Lets at most `most` requests be under way at once. After a failure no request is started any more: all later ones fail
 * with its error. The requests are not known beforehand, because each lane asks for its next page by itself.
 */
export function limitRequests(list: ListPage, most: number): LimitedRequests {
	const waiting: (() => void)[] = [];
	let failure: { reason: unknown } | undefined;
	let underWay = 0;
	const ended = () => {
		underWay -= 1;
		waiting.shift()?.();
	};
	return {
		underWay: () => underWay,
		async list(query) {
			underWay += 1;
			if (underWay > most) await new Promise<void>((resolve) => waiting.push(resolve));
			const request = failure === undefined ? list(query) : Promise.reject(failure.reason);
			request.then(ended, (reason: unknown) => {
				failure = { reason };
				ended();
			});
			return await request;
		},
	};
}

/**
 * Runs work in lanes: `next` gives more of it for so many that are free, each time that some has ended. After a failure
 * nothing more is begun, and the first failure is thrown.
 */
export async function runInLanes(
	lanes: number,
	first: readonly Promise<void>[],
	next: (free: number) => readonly Promise<void>[],
): Promise<void> {
	const underWay = new Set<Promise<void>>();
	let failure: { reason: unknown } | undefined;
	const run = (work: Promise<void>) => {
		const lane = work
			.catch((reason: unknown) => (failure ??= { reason }))
			.then(() => void underWay.delete(lane));
		underWay.add(lane);
	};
	first.forEach(run);
	while (failure === undefined) {
		next(lanes - underWay.size).forEach(run);
		if (underWay.size === 0) break;
		await Promise.race(underWay);
	}
	await Promise.all(underWay);
	if (failure !== undefined) throw failure.reason;
}
