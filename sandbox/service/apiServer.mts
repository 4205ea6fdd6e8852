import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { authenticate } from './authentication.mts';
import type { Caller } from './authentication.mts';
import type { ServiceClock } from './clock.mts';
import { createInspection, readBody } from './createInspection.mts';
import { installHooks } from './faultHooks.mts';
import type { HookContext } from './faultHooks.mts';
import { fileUrl } from './fileUrl.mts';
import { getTemplate } from './getTemplate.mts';
import type { InspectionJson } from './inspectionJson.mts';
import { listInspections } from './listInspections.mts';
import type { Operation, Permission } from './model.mts';
import { errorAnswer, ServiceError } from './serviceError.mts';
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

const TEMPLATE_PATH = /^\/v1\/templates(\/|$)/;
const FILE_URL_PATH = /^\/v1\/inspections\/[^/]*\/files\/[^/]*\/url$/;

/** Which operation an address belongs to; create's is a setting. */
export function apiOperation(
	settings: SandboxSettings,
	method: string,
	path: string,
): Operation | null {
	if (method === 'POST') return path === settings.createPath ? 'createInspection' : null;
	if (method !== 'GET') return null;
	if (path === '/v1/inspections') return 'listInspections';
	if (TEMPLATE_PATH.test(path)) return 'getTemplate';
	return FILE_URL_PATH.test(path) ? 'getFileUrl' : null;
}

/** 10 MB: 1,000 data items with long texts stay far below. */
const BODY_LIMIT = 10 * 1024 * 1024;

/** What went wrong as a status and a message of the interface; never a stack trace. */
function describe(error: unknown): { status: number; message: string } {
	if (error instanceof ServiceError) return { status: error.status, message: error.message };
	const status =
		typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500;
	if (typeof status === 'number' && status >= 400 && status < 500) {
		return { status, message: status === 413 ? 'The request is too large' : 'Invalid request' };
	}
	return { status: 500, message: 'Internal server error, try again later' };
}

/** What Node cannot read as HTTP reaches no route, and gets the interface's error all the same. */
function refuseMalformed(code: string, socket: Socket): void {
	if (code === 'ECONNRESET' || !socket.writable) {
		socket.destroy();
		return;
	}
	const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
	const message = 'The request is not HTTP that can be read';
	const { contentType, body } = errorAnswer(status, message, 'codeMessage');
	const head = [
		`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
		`Content-Type: ${contentType}`,
		`Content-Length: ${String(Buffer.byteLength(body))}`,
		'Connection: close',
	];
	socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The API's origin: the four operations, and nothing else under /v1. */
export function createApiServer<Target>(
	context: ApiContext,
	hooks: HookContext<Target>,
): FastifyInstance {
	const { settings, store, clock } = context;

	/** The template's error body is shown by the interface, the others follow the setting. */
	const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
		const { status, message } = describe(error);
		const path = request.raw.url?.split('?', 1)[0] ?? '';
		const isTemplate = apiOperation(settings, request.method, path) === 'getTemplate';
		const { contentType, body } = errorAnswer(
			status,
			message,
			isTemplate ? 'codeMessage' : settings.errorBody,
		);
		return reply.code(status).header('content-type', contentType).send(body);
	};

	const server = fastify({
		forceCloseConnections: true,
		bodyLimit: BODY_LIMIT,
		// Schemas are the control routes' own: a mistake there is to be told, not mended.
		ajv: {
			customOptions: { removeAdditional: false, coerceTypes: false, allowUnionTypes: true },
		},
		// More than the 16 kB that Node reads of an address: a long one is unknown, not too long.
		routerOptions: { maxParamLength: 20_000 },
		frameworkErrors: sendError,
		clientErrorHandler: (error, socket) => refuseMalformed(error.code, socket),
	});
	const { entryOf, isCutShort } = installHooks(server, hooks);
	server.setErrorHandler(sendError);
	server.setNotFoundHandler((request, reply) =>
		sendError(new ServiceError(404, 'No such operation'), request, reply),
	);
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
		done(null, body);
	});

	const callerOf = (request: FastifyRequest, permission: Permission): Caller =>
		authenticate(request.headers['access-token'], permission, { store, clock });
	const queryOf = (request: FastifyRequest) => entryOf(request)?.query ?? new URLSearchParams();
	const sendJson = (reply: FastifyReply, text: string) =>
		reply.header('content-type', 'application/json; charset=utf-8').send(text);
	const now = () => clock.now();

	const template = (request: FastifyRequest, reply: FastifyReply, reference: string) => {
		const caller = callerOf(request, 'templates:read');
		const view = getTemplate(reference, queryOf(request), caller, { store, settings });
		return sendJson(reply, JSON.stringify(view));
	};
	server.get('/v1/templates', (request, reply) => template(request, reply, ''));
	server.get<{ Params: { reference: string } }>('/v1/templates/:reference', (request, reply) =>
		template(request, reply, request.params.reference),
	);

	server.get('/v1/inspections', (request, reply) => {
		const caller = callerOf(request, 'inspections:list');
		const requestNumber = entryOf(request)?.number ?? 0;
		return sendJson(
			reply,
			listInspections(queryOf(request), caller, { ...context, requestNumber }),
		);
	});

	server.get<{ Params: { inspectionId: string; fileId: string } }>(
		'/v1/inspections/:inspectionId/files/:fileId/url',
		(request, reply) => {
			const caller = callerOf(request, 'inspections:read');
			return sendJson(reply, JSON.stringify(fileUrl(request.params, caller, { ...context, now })));
		},
	);

	server.post('*', (request, reply) => {
		if (entryOf(request)?.operation !== 'createInspection') return reply.callNotFound();
		const caller = callerOf(request, 'inspections:create');
		const answer = createInspection(readBody(request.body), caller, {
			store,
			settings,
			now,
			isCutShort: isCutShort(request),
		});
		return sendJson(reply.code(settings.createStatus), JSON.stringify(answer));
	});
	return server;
}
