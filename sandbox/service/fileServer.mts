import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';

import { installHooks } from './faultHooks.mts';
import { fileBody } from './fileBytes.mts';
import { isSigned } from './getFileUrl.mts';
import { parseGuid } from './guid.mts';
import type { Sandbox } from './sandbox.mts';
import type { SandboxSettings } from './settings.mts';

/** Returns a file name for clients that don't support `filename*`: ASCII only, without quotes and backslashes. */
const plainName = (name: string) => name.replace(/[^\x20-\x7e]|["\\]/g, '_');

/**
 * Returns a file name as percent-encoded UTF-8 (RFC 5987). encodeURIComponent doesn't encode all characters that RFC
 * 5987 requires.
 */
const extendedName = (name: string) =>
	encodeURIComponent(name).replace(
		/['()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);

/** Returns the header Content-Disposition of a download, or null if the header must be missing. */
export function contentDisposition(
	name: string,
	form: SandboxSettings['contentDisposition'],
): string | null {
	const plain = `attachment; filename="${plainName(name)}"`;
	const extended = `filename*=UTF-8''${extendedName(name)}`;
	const both = `${plain}; ${extended}`;
	return { both, plain, extended: `attachment; ${extended}`, absent: null }[form];
}

function refuse(reply: FastifyReply, status: number, code: string, message: string) {
	const error = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
	return reply
		.code(status)
		.type('application/xml')
		.send(`<?xml version="1.0" encoding="UTF-8"?>\n${error}`);
}

/**
 * Creates the file server, to which signed URLs lead. Like a storage service, it checks signatures instead of API keys.
 */
export function createFileServer(sandbox: Sandbox): FastifyInstance {
	const server = fastify({
		forceCloseConnections: true,
		// `maxParamLength` exceeds the longest URL that Node accepts (16 kB). So a very long ID gets the same response as
		// an unknown ID.
		routerOptions: { maxParamLength: 20_000 },
		frameworkErrors: (_error, _request, reply) =>
			void refuse(reply, 400, 'InvalidURI', 'The address cannot be read'),
	});
	installHooks(server, sandbox, 'files');
	server.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'NoSuchKey', 'No such file'));
	server.setErrorHandler((error, _request, reply) =>
		refuse(reply, 500, 'InternalError', error instanceof Error ? error.message : 'Error'),
	);

	server.route<{ Params: { fileId: string } }>({
		method: ['GET', 'HEAD'],
		url: '/files/:fileId/:name',
		config: { operation: 'downloadFile' },
		handler: (request, reply) => {
			const fileId = parseGuid(request.params.fileId) ?? '';
			const query = request.entry?.query ?? new URLSearchParams();
			if (!isSigned(fileId, query, sandbox.clock.now())) {
				return refuse(reply, 403, 'AccessDenied', 'Request has expired or is not signed');
			}
			const file = sandbox.store.findFile(fileId);
			if (file === undefined) return refuse(reply, 404, 'NoSuchKey', 'No such file');
			const body = fileBody(file);
			const disposition = contentDisposition(file.name, sandbox.settings.contentDisposition);
			if (disposition !== null) reply.header('content-disposition', disposition);
			if (sandbox.settings.contentLength) reply.header('content-length', body.length);
			return reply.type(file.contentType).send(request.method === 'HEAD' ? '' : body.stream());
		},
	});
	return server;
}
