import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { authenticate, type Caller } from './authentication.mts';
import type { ServiceClock } from './clock.mts';
import { type CreateBody, createInspection } from './createInspection.mts';
import type { InstalledHooks } from './faultHooks.mts';
import { fileUrl } from './fileUrl.mts';
import { getTemplate } from './getTemplate.mts';
import type { InspectionJson } from './inspectionJson.mts';
import { listInspections } from './listInspections.mts';
import type { ListParameters } from './listQuery.mts';
import type { ApiOperation } from './model.mts';
import { documentedOperation, documentedOperations, refusing } from './serviceDocument.mts';
import { badRequest } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import type { UrlSigner } from './signedUrl.mts';
import type { Store } from './store.mts';

export interface ApiContext {
	store: Store;
	settings: SandboxSettings;
	clock: ServiceClock;
	signer: UrlSigner;
	json: InspectionJson;
	filesUrl: () => string;
}

/** What a request holds once the document has nothing against it: each operation has its part of it. */
interface ApiRequest {
	Params: { templateIdOrIdentifier: string; inspectionId: string; fileId: string };
	Querystring: ListParameters;
	Body: CreateBody;
}

interface Call {
	request: FastifyRequest<ApiRequest>;
	reply: FastifyReply;
	caller: Caller;
}

type RouteContext = ApiContext & InstalledHooks;

/** The response's body, an object or JSON text. */
type Handler = (call: Call, context: RouteContext) => object | string;

const HANDLERS: Record<ApiOperation, Handler> = {
	getTemplate: ({ request: { params, query }, caller }, context) =>
		getTemplate(params.templateIdOrIdentifier, query.includes ?? [], caller, context),

	createInspection: ({ request, reply, caller }, context) => {
		reply.code(context.settings.createStatus);
		return createInspection(request.body, caller, {
			...context,
			now: () => context.clock.now(),
			isCutShort: context.isCutShort(request),
		});
	},

	listInspections: ({ request, caller }, context) => {
		const requestNumber = context.entryOf(request)?.number ?? 0;
		return listInspections(request.query, caller, { ...context, requestNumber });
	},

	getFileUrl: ({ request, caller }, context) =>
		fileUrl(request.params, caller, { ...context, now: () => context.clock.now() }),
};

function readBody(text: unknown): CreateBody {
	try {
		return JSON.parse(typeof text === 'string' ? text : '');
	} catch {
		throw badRequest('The request body is not valid JSON');
	}
}

/** One operation: the key first, then the document's schemas, then the handler. */
function addRoute(server: FastifyInstance, id: ApiOperation, url: string, context: RouteContext) {
	const { method, permission, refusals, schemas } = documentedOperation(id);
	const callerOf = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
		authenticate(headers['access-token'], permission, context);
	server.route<ApiRequest>({
		method,
		url,
		schema: schemas,
		validatorCompiler: ({ schema, httpPart }) => {
			const refuse = refusing(schema, httpPart === 'body' ? 'json' : 'text', refusals);
			return (value: unknown) => {
				const message = refuse(value);
				return message === null ? true : { error: badRequest(message) };
			};
		},
		preValidation: async (request, reply) => {
			if (context.entryOf(request)?.operation !== id) {
				reply.callNotFound();
				return reply;
			}
			callerOf(request);
			if (schemas.body !== undefined) request.body = readBody(request.body);
			return undefined;
		},
		handler: (request, reply) => {
			const answer = HANDLERS[id]({ request, reply, caller: callerOf(request) }, context);
			return reply
				.header('content-type', 'application/json; charset=utf-8')
				.send(typeof answer === 'string' ? answer : JSON.stringify(answer));
		},
	});
}

/** The four operations of docs/service.openapi.yaml. The path of createInspection is a setting. */
export function addApiRoutes(server: FastifyInstance, context: RouteContext): void {
	for (const { id, path } of documentedOperations) {
		addRoute(
			server,
			id,
			id === 'createInspection' ? '*' : path.replace(/\{(\w+)\}/g, ':$1'),
			context,
		);
	}
	addRoute(server, 'getTemplate', '/v1/templates', context);
}
