import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import { refuseMalformed, sendError } from './apiErrors.mts';
import { addApiRoutes, type ApiContext } from './apiRoutes.mts';
import { type HookContext, installHooks } from './faultHooks.mts';
import type { ApiOperation } from './model.mts';
import { readQuery } from './queryParameters.mts';
import { ServiceError } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';

const TEMPLATE_PATH = /^\/v1\/templates(\/|$)/;
const FILE_URL_PATH = /^\/v1\/inspections\/[^/]*\/files\/[^/]*\/url$/;

/** Which operation an address belongs to; create's is a setting. */
export function apiOperation(
	settings: SandboxSettings,
	method: string,
	path: string,
): ApiOperation | null {
	if (method === 'POST') return path === settings.createPath ? 'createInspection' : null;
	if (method !== 'GET') return null;
	if (path === '/v1/inspections') return 'listInspections';
	if (TEMPLATE_PATH.test(path)) return 'getTemplate';
	return FILE_URL_PATH.test(path) ? 'getFileUrl' : null;
}

/** 10 MB: 1,000 data items with long texts stay far below. */
const BODY_LIMIT = 10 * 1024 * 1024;

/** The API's origin: the four operations, and nothing else under /v1. */
export function createApiServer<Target>(
	context: ApiContext,
	hooks: HookContext<Target>,
): FastifyInstance {
	const { settings } = context;
	/** The template's error body is documented, the others follow the setting. */
	const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
		const path = request.raw.url?.split('?', 1)[0] ?? '';
		const isTemplate = apiOperation(settings, request.method, path) === 'getTemplate';
		return sendError(error, reply, isTemplate ? 'codeMessage' : settings.errorBody);
	};
	const server = fastify({
		forceCloseConnections: true,
		bodyLimit: BODY_LIMIT,
		// Schemas are the control routes' own: a mistake there is to be told, not mended.
		ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allowUnionTypes: true } },
		routerOptions: {
			// More than the 16 kB that Node reads of an address: a long one is unknown, not too long.
			maxParamLength: 20_000,
			querystringParser: (query) => readQuery(query, settings.dataFilter),
		},
		frameworkErrors: fail,
		clientErrorHandler: (error, socket) => refuseMalformed(error.code, socket),
	});
	const installed = installHooks(server, hooks);
	server.setErrorHandler(fail);
	server.setNotFoundHandler((request, reply) =>
		fail(new ServiceError(404, 'No such operation'), request, reply),
	);
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
		done(null, body);
	});
	addApiRoutes(server, { ...context, ...installed });
	return server;
}
