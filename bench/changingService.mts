import { CONTROL_PREFIX } from '#sandbox/service/controlRoutes.mts';

export const BUSY_MINUTES = 10;
export const MINUTE_MS = 60_000;
/** The number of steps in which a simulated minute passes. */
const STEPS = 60;

/** Advances the service's clock by one minute. During that minute, `changes` inspections change, evenly spread. */
export async function letMinutePass(apiUrl: string, changes: number): Promise<void> {
	for (let step = 0; step < STEPS; step++) {
		await control(apiUrl, 'clock/advance', [MINUTE_MS / STEPS]);
		const count = Math.floor((changes * (step + 1)) / STEPS) - Math.floor((changes * step) / STEPS);
		if (count > 0) await control(apiUrl, 'store/updateOldest', [count]);
	}
}

/** Returns how many ms the service's clock is ahead of this process's clock. */
export async function msAhead(apiUrl: string): Promise<number> {
	return Date.parse(String(await control(apiUrl, 'clock/date', []))) - Date.now();
}

async function control(
	apiUrl: string,
	path: string,
	parameters: readonly unknown[],
): Promise<unknown> {
	const response = await fetch(`${apiUrl}${CONTROL_PREFIX}/${path}`, {
		method: 'POST',
		body: JSON.stringify(parameters),
	});
	if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
	return await response.json();
}
