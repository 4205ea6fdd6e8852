/**
 * A chat and a mail server for tests and the demo, on any free port of 127.0.0.1. They only store the messages they
 * receive.
 */
import { once } from 'node:events';
import { promisify } from 'node:util';

import fastify from 'fastify';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

import { isRecord, textOf } from '#sandbox/json.mts';
import { freePort } from './freePort.mts';
import { untilFound } from './waiting.mts';

const HOST = '127.0.0.1';

/** Received messages, oldest first. */
class Inbox<Message> {
	readonly messages: Message[] = [];
	/** Called with each new message. */
	onMessage: (message: Message) => void = () => undefined;

	add(message: Message): void {
		this.messages.push(message);
		this.onMessage(message);
	}

	/** Resolves with the first message that matches, even if it arrived before the call. @throws after `timeoutMs` */
	async first(isWanted: (message: Message) => boolean, timeoutMs: number): Promise<Message> {
		return await untilFound(() => this.messages.find(isWanted), timeoutMs);
	}
}

/** Starts a chat server with an incoming webhook at `url`, which accepts `{"text": "…"}`. */
export async function startChat() {
	const inbox = new Inbox<string>();
	const server = fastify({ forceCloseConnections: true });
	server.post('/hooks/*', (request, reply) => {
		const text = isRecord(request.body) ? textOf(request.body['text']) : undefined;
		if (text === undefined) return reply.code(400).send('no_text');
		inbox.add(text);
		return reply.send('ok');
	});
	const url = `${await server.listen({ host: HOST, port: 0 })}/hooks/demo`;
	return { url, inbox, close: () => server.close() };
}

/** Starts a mail server that accepts mail to any address, without TLS or a password. */
export async function startMailServer() {
	const inbox = new Inbox<Awaited<ReturnType<typeof readMail>>>();
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData(stream, _session, done) {
			readMail(stream).then((mail) => {
				inbox.add(mail);
				done();
			}, done);
		},
	});
	const port = await freePort();
	await once(server.listen(port, HOST), 'listening');
	return { port, inbox, close: promisify((done: () => void) => server.close(done)) };
}

/** Parses an email. `to` has addresses without names. */
async function readMail(message: AsyncIterable<Uint8Array>) {
	const bytes = Buffer.concat(await Array.fromAsync(message));
	const { to = [], subject = '', text = '', attachments } = await PostalMime.parse(bytes);
	return {
		to: to.flatMap(({ address }) => address ?? []),
		subject,
		text: text.trimEnd(),
		attachments: attachments.map(({ filename, mimeType, content }) => ({
			fileName: filename ?? '',
			mediaType: mimeType,
			content: Buffer.from(new Uint8Array(content instanceof ArrayBuffer ? content : [])),
		})),
	};
}
