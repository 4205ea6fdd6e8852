import fastify from 'fastify';

import { isRecord, textOf } from '../../nodes/InspectionService/domain/json.ts';
import { Inbox } from './inbox.mts';

/** What stands in for a chat: takes messages as an incoming webhook does and keeps them. */
export type ChatSink = Awaited<ReturnType<typeof startChatSink>>;

/** Starts the sink on any free port of 127.0.0.1. `url` is the address to post `{"text": "…"}` to. */
export async function startChatSink() {
	const inbox = new Inbox((text: string) => text);
	const server = fastify({ forceCloseConnections: true });
	server.post('/hooks/*', (request, reply) => {
		const text = isRecord(request.body) ? textOf(request.body['text']) : undefined;
		if (text === undefined) return reply.code(400).send('no_text');
		inbox.add(text);
		return reply.send('ok');
	});
	const url = `${await server.listen({ host: '127.0.0.1', port: 0 })}/hooks/demo`;
	return { url, inbox, close: () => server.close() };
}
