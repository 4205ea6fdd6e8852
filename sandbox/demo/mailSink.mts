/** What stands in for a mail server: takes mail for anybody, without a password, and keeps it. */
import { once } from 'node:events';

import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

import { untilFound } from './waiting.mts';

/** A mail as its reader sees it. */
export interface Mail {
	/** Addresses without names. */
	to: readonly string[];
	subject: string;
	text: string;
	attachments: readonly { fileName: string; mediaType: string; content: Buffer }[];
}

export interface MailSink {
	/** On 127.0.0.1, without TLS. */
	readonly port: number;
	/** In the order in which they came. */
	readonly mails: readonly Mail[];
	/** Called with every mail from now on. */
	onMail: (mail: Mail) => void;
	/** Resolves with the first mail, also an earlier one, that has this in its subject. @throws after `timeoutMs` */
	mailAbout(part: string, timeoutMs: number): Promise<Mail>;
	close(): Promise<void>;
}

/** Starts the sink on any free port of 127.0.0.1. */
export async function startMailSink(): Promise<MailSink> {
	const mails: Mail[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData(stream, _session, done) {
			readMail(stream).then((mail) => {
				mails.push(mail);
				sink.onMail(mail);
				done();
			}, done);
		},
	});
	const listening = server.listen(0, '127.0.0.1');
	await once(listening, 'listening');
	const address = listening.address();
	if (address === null || typeof address === 'string') throw new Error('no port for mail');

	const sink: MailSink = {
		port: address.port,
		mails,
		onMail: () => undefined,
		mailAbout: (part, timeoutMs) =>
			untilFound(() => mails.find(({ subject }) => subject.includes(part)), timeoutMs),
		close: async () => {
			await new Promise<void>((resolve) => {
				server.close(resolve);
			});
		},
	};
	return sink;
}

async function readMail(message: AsyncIterable<Uint8Array>): Promise<Mail> {
	const parts: Uint8Array[] = [];
	for await (const part of message) parts.push(part);
	const {
		to = [],
		subject = '',
		text = '',
		attachments,
	} = await PostalMime.parse(Buffer.concat(parts));
	return {
		to: to.flatMap(({ address }) => address ?? []),
		subject,
		text: text.trimEnd(),
		attachments: attachments.map(({ filename, mimeType, content }) => ({
			fileName: filename ?? '',
			mediaType: mimeType,
			content:
				typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
		})),
	};
}
