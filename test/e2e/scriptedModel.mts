/** A chat model whose responses a test scripts. It has the API that n8n's OpenAI node uses. */
import fastify from 'fastify';

import { isRecord, type JsonRecord, recordsOf, textOf } from '#sandbox/json.mts';

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** Starts the model on any free port of 127.0.0.1. */
export async function startScriptedModel() {
	/** The tools in the last request, and the tools' responses in the form in which the model reads them. */
	const lastRequest = {
		tools: [] as ReturnType<typeof offeredTool>[],
		toolAnswers: [] as string[],
	};
	let toolArguments: JsonRecord = {};
	const server = fastify({ forceCloseConnections: true });
	server.post<{ Body: JsonRecord }>('/v1/chat/completions', ({ body }, reply) => {
		const tools = recordsOf(body['tools']).map(offeredTool);
		const toolAnswers = recordsOf(body['messages'])
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => textOf(content) ?? JSON.stringify(content));
		Object.assign(lastRequest, { tools, toolAnswers });
		const [tool] = tools;
		const message =
			toolAnswers.length > 0 || tool === undefined
				? { role: 'assistant', content: toolAnswers.join('\n') }
				: callOf(tool.name, toolArguments);
		const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
		return reply.send({
			id: 'chat-1',
			object: 'chat.completion',
			created: 1,
			model: 'scripted',
			usage: USAGE,
			choices: [{ index: 0, message, finish_reason }],
		});
	});
	const address = await server.listen({ host: '127.0.0.1', port: 0 });
	return {
		/** The base URL to enter in the credential of n8n's OpenAI node. */
		url: `${address}/v1`,
		lastRequest,
		/**
		 * Makes the model call its only tool with these arguments in the next conversation, then repeat the tool's
		 * response.
		 */
		callToolWith: (args: JsonRecord) => {
			toolArguments = args;
		},
		close: () => server.close(),
	};
}

/** Returns a tool as the model sees it. `parameters` is the JSON schema of its arguments. */
function offeredTool({ function: tool }: JsonRecord) {
	const { name, description, parameters } = isRecord(tool) ? tool : {};
	return {
		name: textOf(name) ?? '',
		description: textOf(description) ?? '',
		parameters: isRecord(parameters) ? parameters : {},
	};
}

function callOf(name: string, args: JsonRecord) {
	const call = { name, arguments: JSON.stringify(args) };
	const tool_calls = [{ id: 'call-1', type: 'function', function: call }];
	return { role: 'assistant', content: null, tool_calls };
}
