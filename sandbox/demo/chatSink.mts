/** What stands in for a chat: takes messages as an incoming webhook does and keeps them. */
import { EventEmitter, once } from 'node:events';

import fastify from 'fastify';

import { isRecord, textOf } from '../../nodes/InspectionService/domain/json.ts';

export interface ChatSink {
	/** Address to post `{"text": "…"}` to. */
	readonly url: string;
	/** Texts in the order in which they came. */
	readonly messages: readonly string[];
	/** Calls back for every message from now on. */
	onMessage(listener: (text: string) => void): void;
	/** Resolves with the first message, also an earlier one, that has this in it. @throws after `timeoutMs` */
	messageWith(part: string, timeoutMs: number): Promise<string>;
	close(): Promise<void>;
}

/** Starts the sink on any free port of 127.0.0.1. */
export async function startChatSink(): Promise<ChatSink> {
	const messages: string[] = [];
	const arrivals = new EventEmitter();
	const server = fastify({ forceCloseConnections: true });
	server.post('/hooks/*', (request, reply) => {
		const text = isRecord(request.body) ? textOf(request.body['text']) : undefined;
		if (text === undefined) return reply.code(400).send('no_text');
		messages.push(text);
		arrivals.emit('message', text);
		return reply.send('ok');
	});
	const origin = await server.listen({ host: '127.0.0.1', port: 0 });

	return {
		url: `${origin}/hooks/demo`,
		messages,
		onMessage: (listener) => {
			arrivals.on('message', listener);
		},
		messageWith: async (part, timeoutMs) => {
			const signal = AbortSignal.timeout(timeoutMs);
			for (;;) {
				const found = messages.find((text) => text.includes(part));
				if (found !== undefined) return found;
				await once(arrivals, 'message', { signal }).catch((cause: unknown) => {
					const seconds = String(timeoutMs / 1000);
					throw new Error(`no message with "${part}" in ${seconds} s`, { cause });
				});
			}
		},
		close: () => server.close(),
	};
}
