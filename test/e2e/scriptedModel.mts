/** A chat model that says what a test tells it to, behind the interface that n8n's OpenAI node speaks. */
import fastify from 'fastify';

import { isRecord, type JsonRecord, recordsOf, textOf } from '#connector/domain/json.ts';

/** A tool as the model gets to know it. */
export interface OfferedTool {
	name: string;
	description: string;
	/** JSON schema of its arguments. */
	parameters: JsonRecord;
}

export interface ScriptedModel {
	/** What the credential of n8n's OpenAI node takes as its base URL. */
	readonly url: string;
	/** The tools of the last question. */
	readonly tools: readonly OfferedTool[];
	/** What the tool answered, as the model gets to read it. */
	readonly toolAnswers: readonly string[];
	/** The next conversation: the only tool is called with these arguments, then its answer is repeated. */
	callToolWith(args: JsonRecord): void;
	close(): Promise<void>;
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** Listens on any free port of 127.0.0.1. */
export async function startScriptedModel(): Promise<ScriptedModel> {
	let tools: OfferedTool[] = [];
	let toolAnswers: string[] = [];
	let toolArguments: JsonRecord = {};
	const server = fastify({ forceCloseConnections: true });
	server.post('/v1/chat/completions', (request, reply) => {
		const body = isRecord(request.body) ? request.body : {};
		tools = recordsOf(body['tools']).map(offeredTool);
		toolAnswers = recordsOf(body['messages'])
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => textOf(content) ?? JSON.stringify(content));
		const [tool] = tools;
		const message =
			toolAnswers.length > 0 || tool === undefined
				? { role: 'assistant', content: toolAnswers.join('\n') }
				: callOf(tool.name, toolArguments);
		const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
		const choices = [{ index: 0, message, finish_reason }];
		return reply.send({
			id: 'chat-1',
			object: 'chat.completion',
			created: 1,
			model: 'scripted',
			choices,
			usage: USAGE,
		});
	});
	const address = await server.listen({ host: '127.0.0.1', port: 0 });
	return {
		url: `${address}/v1`,
		get tools() {
			return tools;
		},
		get toolAnswers() {
			return toolAnswers;
		},
		callToolWith: (args) => {
			toolArguments = args;
		},
		close: () => server.close(),
	};
}

function offeredTool(tool: JsonRecord): OfferedTool {
	const described = isRecord(tool['function']) ? tool['function'] : {};
	return {
		name: textOf(described['name']) ?? '',
		description: textOf(described['description']) ?? '',
		parameters: isRecord(described['parameters']) ? described['parameters'] : {},
	};
}

function callOf(name: string, args: JsonRecord) {
	const call = { name, arguments: JSON.stringify(args) };
	return {
		role: 'assistant',
		content: null,
		tool_calls: [{ id: 'call-1', type: 'function', function: call }],
	};
}
