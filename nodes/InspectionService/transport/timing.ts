import { sleep } from 'n8n-workflow';

import { REQUEST_LIMITS } from './timeLimits';

/** Time and chance as the requests see them; tests bring their own. */
export interface Timing {
	/** Unix ms. */
	now(): number;
	/** From 0 to below 1. */
	random(): number;
	sleep(milliseconds: number): Promise<void>;
	/** Time limits in ms, see REQUEST_LIMITS. */
	readonly limits: typeof REQUEST_LIMITS;
}

export const REAL_TIMING: Timing = {
	now: () => Date.now(),
	random: () => Math.random(),
	sleep,
	limits: REQUEST_LIMITS,
};
