import { once } from 'node:events';
import { promisify } from 'node:util';

import getPort from 'get-port';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

import { Inbox } from './inbox.mts';

/** A mail as its reader sees it. */
export interface Mail {
	/** Addresses without names. */
	to: readonly string[];
	subject: string;
	text: string;
	attachments: readonly { fileName: string; mediaType: string; content: Buffer }[];
}

/** What stands in for a mail server: takes mail for anybody, without TLS or a password, and keeps it. */
export type MailSink = Awaited<ReturnType<typeof startMailSink>>;

/** Starts the sink on any free port of 127.0.0.1. Mails are looked for by their subject. */
export async function startMailSink() {
	const inbox = new Inbox(({ subject }: Mail) => subject);
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
	const host = '127.0.0.1';
	const port = await getPort({ host });
	await once(server.listen(port, host), 'listening');
	return { port, inbox, close: promisify((done: () => void) => server.close(done)) };
}

async function readMail(message: AsyncIterable<Uint8Array>): Promise<Mail> {
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
