import type { ListPage } from './readRange';

/** A list whose requests wait while too many are under way. */
export interface LimitedRequests {
	list: ListPage;
	/** How many requests are under way; those that wait count as well. */
	underWay(): number;
}

/**
 * Lets `most` requests be under way at once. After a failure no request is started: all that follow fail like the first.
 * There is no list of them to map: lanes and the pages of a full second ask as they come to it, side by side.
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
				failure ??= { reason };
				ended();
			});
			return await request;
		},
	};
}
