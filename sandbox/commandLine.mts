import { InvalidArgumentError } from 'commander';

/** An error that the user can fix. `runCommand` prints only its message, without a stack trace. */
export class UsageError extends Error {}

/** Parses an option that must be a whole number. */
export const wholeNumber = (low: number, high: number) => (text: string) => {
	const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
	if (value >= low && value <= high) return value;
	throw new InvalidArgumentError(`It must be a number from ${String(low)} to ${String(high)}.`);
};

/** Returns one line for an error that the user can fix, or null for any other error. */
function explain(error: unknown): string | null {
	if (error instanceof UsageError) return error.message;
	const { code, port }: NodeJS.ErrnoException & { port?: number } = Object(error);
	const address = `Port ${String(port)} on 127.0.0.1`;
	if (code === 'EADDRINUSE') {
		return `${address} is in use: choose another with --port or --files-port, or stop the program that uses it`;
	}
	return code === 'EACCES' && port !== undefined
		? `${address} can't be used by this account: choose a port above 1023 with --port`
		: null;
}

/**
 * Runs a command. If it fails, prints a one-line message for an error that the user can fix, and a stack trace for any
 * other error.
 */
export async function runCommand(main: () => Promise<void>): Promise<void> {
	try {
		await main();
	} catch (error) {
		const line = explain(error);
		if (line === null) throw error;
		console.error(line);
		process.exitCode = 1;
	}
}

/**
 * Calls `stop` at the first Ctrl-C or similar signal only. One Ctrl-C in a terminal reaches this process twice:
 * directly and through npm.
 */
export function onStop(stop: () => Promise<void>): void {
	let stopping: Promise<void> | undefined;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => {
			stopping ??= stop().catch((error: unknown) => {
				console.error(error);
				process.exit(1);
			});
		});
	}
}
