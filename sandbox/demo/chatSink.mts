/** What stands in for a chat: takes messages as an incoming webhook does and keeps them. */
import fastify from 'fastify';

import { isRecord, textOf } from '../../nodes/InspectionService/domain/json.ts';
import { untilFound } from './waiting.mts';

export interface ChatSink {
	/** Address to post `{"text": "…"}` to. */
	readonly url: string;
	/** Texts in the order in which they came. */
	readonly messages: readonly string[];
	/** Called with every message from now on. */
	onMessage: (text: string) => void;
	/** Resolves with the first message, also an earlier one, that has this in it. @throws after `timeoutMs` */
	messageWith(part: string, timeoutMs: number): Promise<string>;
	close(): Promise<void>;
}

/** Starts the sink on any free port of 127.0.0.1. */
export async function startChatSink(): Promise<ChatSink> {
	const messages: string[] = [];
	const server = fastify({ forceCloseConnections: true });
	server.post('/hooks/*', (request, reply) => {
		const text = isRecord(request.body) ? textOf(request.body['text']) : undefined;
		if (text === undefined) return reply.code(400).send('no_text');
		messages.push(text);
		sink.onMessage(text);
		return reply.send('ok');
	});
	const sink: ChatSink = {
		url: `${await server.listen({ host: '127.0.0.1', port: 0 })}/hooks/demo`,
		messages,
		onMessage: () => undefined,
		messageWith: (part, timeoutMs) =>
			untilFound(() => messages.find((text) => text.includes(part)), timeoutMs),
		close: () => server.close(),
	};
	return sink;
}
