/** What the user can put right: printed as one line. */
export class UsageError extends Error {}

/** The value of an option that is a whole number. */
export function numberOf(option: string, text: string, low: number, high: number): number {
	const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
	if (value >= low && value <= high) return value;
	const range = `${String(low)} to ${String(high)}`;
	throw new UsageError(`--${option} must be a number from ${range}, not "${text}"`);
}

/** One line for what the user can put right, null for anything else. */
function explain(error: unknown): string | null {
	if (error instanceof UsageError) return error.message;
	const {
		code,
		port,
		command,
		message = '',
	}: NodeJS.ErrnoException & Record<string, unknown> = Object(error);
	if (code?.startsWith('ERR_PARSE_ARGS')) {
		return `${message.split('. ', 1)[0] ?? ''} (--help lists the options)`;
	}
	if (code === 'EADDRINUSE') {
		return `Port ${String(port)} on 127.0.0.1 is taken: choose others with --port and --files-port, or stop what uses it`;
	}
	if (code === 'EACCES' && port !== undefined) {
		return `Port ${String(port)} may not be used by this account: choose one above 1023 with --port`;
	}
	if (code !== 'ENOENT' || typeof command !== 'string') return null;
	return `"${command.split(' ')[0] ?? ''}" was not found: it has to be on the PATH`;
}

/** Runs a command: a mistake of its user ends it with one line, anything else with a stack trace. */
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

/** Calls back at Ctrl-C and its like, once: a terminal's Ctrl-C comes twice, to this process and through npm. */
export function onStop(stop: () => Promise<void>): void {
	let isStopping = false;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => {
			if (isStopping) return;
			isStopping = true;
			stop().catch((error: unknown) => {
				console.error(error);
				process.exit(1);
			});
		});
	}
}
