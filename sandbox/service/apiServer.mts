import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import { authenticate, type Caller } from './authentication.mts';
import { type CreateBody, createInspection } from './createInspection.mts';
import { installHooks, isCutShort } from './faultHooks.mts';
import { getFileUrl } from './getFileUrl.mts';
import { listInspections, type ListParameters, NO_CONTENT } from './listInspections.mts';
import type { ApiOperation } from './model.mts';
import { readQuery } from './queryParameters.mts';
import type { Sandbox } from './sandbox.mts';
import { documentedOperation, documentedOperations, refusing } from './serviceDocument.mts';
import { badRequest, notFound, sendError } from './serviceError.mts';
import { templateDataView, templateView } from './view.mts';

/** 10 MB, which is far more than 1,000 answers with long values need. */
const BODY_LIMIT = 10 * 1024 * 1024;

/** The parts of a request after validation by the OpenAPI document's schemas. Each operation uses only some of them. */
interface ApiRequest {
	Params: { templateIdOrIdentifier: string; inspectionId: string; fileId: string };
	Querystring: ListParameters;
	Body: CreateBody;
}

interface Call {
	request: FastifyRequest<ApiRequest>;
	caller: Caller;
	sandbox: Sandbox;
}

/** Functions that return an operation's response body, by operation. */
const HANDLERS: Record<ApiOperation, (call: Call) => object | null | typeof NO_CONTENT> = {
	getTemplate({ request: { params, query }, caller, sandbox }) {
		const reference = params.templateIdOrIdentifier.trim();
		const template = sandbox.store.findTemplate(caller.organization.id, reference);
		if (template === undefined || template.deleted) throw notFound('Template not found');
		const view = templateView(template, sandbox);
		const withData = query.includes?.some((include) => include === 'data' || include === 'all');
		return withData === true ? { ...view, data: templateDataView(template, sandbox) } : view;
	},

	createInspection: ({ request, caller, sandbox }) =>
		createInspection(request.body, caller, sandbox, isCutShort(request)),

	listInspections: ({ request: { query }, caller, sandbox }) =>
		listInspections(query, caller, sandbox),

	getFileUrl: ({ request: { params }, caller, sandbox }) => getFileUrl(params, caller, sandbox),
};

function readBody(text: unknown): CreateBody {
	try {
		return JSON.parse(typeof text === 'string' ? text : '');
	} catch {
		throw badRequest('The request body is not valid JSON');
	}
}

/**
 * Adds the route of one operation. The route checks the API key, validates the request with the OpenAPI document's
 * schemas, then calls the operation's handler.
 */
function addRoute(server: FastifyInstance, operation: ApiOperation, url: string, sandbox: Sandbox) {
	const { method, permission, refusals, schemas } = documentedOperation(operation);
	const callerOf = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
		authenticate(headers['access-token'], permission, sandbox);
	server.route<ApiRequest>({
		method,
		url,
		config: { operation },
		schema: schemas,
		validatorCompiler: ({ schema, httpPart }) => {
			const refuse = refusing(schema, httpPart === 'body' ? 'json' : 'text', refusals);
			return (value: unknown) => {
				const message = refuse(value);
				return message === null ? true : { error: badRequest(message) };
			};
		},
		preValidation: async (request) => {
			callerOf(request);
			if (schemas.body !== undefined) request.body = readBody(request.body);
		},
		handler: (request, reply) => {
			const result = HANDLERS[operation]({ request, sandbox, caller: callerOf(request) });
			return result === NO_CONTENT ? reply.code(204).send() : reply.send(result);
		},
	});
}

/** Creates the server of the API: the four operations of docs/service.openapi.yaml, and nothing else under /v1. */
export function createApiServer(sandbox: Sandbox): FastifyInstance {
	const { settings } = sandbox;
	const fail = (error: unknown, _request: FastifyRequest, reply: FastifyReply) =>
		void sendError(error, reply);
	const server = fastify({
		forceCloseConnections: true,
		bodyLimit: BODY_LIMIT,
		routerOptions: {
			// `maxParamLength` exceeds the longest URL that Node accepts (16 kB). So a very long ID gets the same response as
			// an unknown ID.
			maxParamLength: 20_000,
			querystringParser: (query) => readQuery(query, settings.dataFilter),
		},
		frameworkErrors: fail,
	});
	installHooks(server, sandbox, 'api');
	server.setErrorHandler(fail);
	server.setNotFoundHandler((request, reply) =>
		fail(notFound('No such operation'), request, reply),
	);
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
		done(null, body);
	});
	for (const { id, path } of documentedOperations) {
		addRoute(server, id, path.replace(/\{(\w+)\}/g, ':$1'), sandbox);
	}
	// Serves getTemplate's URL without an identifier, too. The response is an error about the missing identifier.
	addRoute(server, 'getTemplate', '/v1/templates', sandbox);
	return server;
}
