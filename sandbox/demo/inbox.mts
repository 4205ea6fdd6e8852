import { untilFound } from './waiting.mts';

/** Messages in the order in which they came. */
export class Inbox<Message> {
	readonly messages: Message[] = [];
	/** Called with every message from now on. */
	onMessage: (message: Message) => void = () => undefined;
	private readonly textOf: (message: Message) => string;

	/** `textOf` gives the text by which a message is looked for. */
	constructor(textOf: (message: Message) => string) {
		this.textOf = textOf;
	}

	add(message: Message): void {
		this.messages.push(message);
		this.onMessage(message);
	}

	/** Resolves with the first message, also an earlier one, that has this in its text. @throws after `timeoutMs` */
	async messageWith(part: string, timeoutMs: number): Promise<Message> {
		const find = () => this.messages.find((message) => this.textOf(message).includes(part));
		return await untilFound(find, timeoutMs);
	}
}
