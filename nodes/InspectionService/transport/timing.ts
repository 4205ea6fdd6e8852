import { sleep } from 'n8n-workflow';

/** Time and chance as the requests see them; tests bring their own. */
export interface Timing {
	/** Unix ms. */
	now(): number;
	/** From 0 to below 1. */
	random(): number;
	sleep(milliseconds: number): Promise<void>;
	/** Time limits in ms, see LIMITS. */
	readonly limits: typeof LIMITS;
}

/** Time limits in ms. The interface states none: they end what is lost, and leave room for what is slow. */
export const LIMITS = {
	/** A page of 100 inspections with all their answers takes seconds. */
	read: 60_000,
	/** Up to 1000 answers and a task; longer than for reading, because a create is not repeated afterwards. */
	create: 120_000,
	/** Until the storage begins its response. */
	openFile: 60_000,
	/** Without a byte in the middle of a file. */
	idleFile: 60_000,
};

export const REAL_TIMING: Timing = {
	now: () => Date.now(),
	random: () => Math.random(),
	sleep,
	limits: LIMITS,
};
