/** Finds ports for servers that other processes start. */
import { randomInt } from 'node:crypto';

import getPort, { portNumbers } from 'get-port';

/**
 * Ports that neither Linux (32,768 to 60,999) nor macOS (49,152 to 65,535) gives to outgoing connections. A connection
 * of any test could otherwise take the port before the server listens: n8n needs up to a minute to start.
 */
const PORTS = { from: 10_000, to: 32_000 };

/** How many ports to try before the system chooses one. */
const TRIES = 500;

/**
 * Returns a free port of 127.0.0.1. It begins to search at random, so that two processes that search at the same time
 * find different ports.
 */
export async function freePort(): Promise<number> {
	const first = randomInt(PORTS.from, PORTS.to - TRIES);
	return await getPort({ host: '127.0.0.1', port: portNumbers(first, first + TRIES) });
}
