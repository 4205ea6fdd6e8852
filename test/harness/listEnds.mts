import type { SandboxSettings } from '#sandbox/service/settings.mts';

/**
 * Returns the ways in which services can behave at the end of a list, as settings of the sandbox. The service's
 * interface doesn't specify it. Services with a result window or an offset limit list no more than `limit` inspections.
 */
export function listEnds(limit: number): Partial<SandboxSettings>[] {
	return [
		{ afterLastPage: 'repeated' },
		{ afterLastPage: 'null' },
		{ afterLastPage: '204' },
		{ afterLastPage: '404' },
		{ afterLastPage: '400' },
		{ resultWindow: limit },
		{ resultWindow: limit, afterLastPage: '404' },
		{ offsetLimit: limit },
	];
}
