import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyReply } from 'fastify';

import { errorAnswer, ServiceError } from './serviceError.mts';
import type { ErrorBody } from './settings.mts';

/** What went wrong as a status and a message of the document; never a stack trace. */
function describe(error: unknown): { status: number; message: string } {
	if (error instanceof ServiceError) return { status: error.status, message: error.message };
	const status =
		typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500;
	if (typeof status === 'number' && status >= 400 && status < 500) {
		return { status, message: status === 413 ? 'The request is too large' : 'Invalid request' };
	}
	return { status: 500, message: 'Internal server error, try again later' };
}

export function sendError(error: unknown, reply: FastifyReply, shape: ErrorBody): FastifyReply {
	const { status, message } = describe(error);
	const { contentType, body } = errorAnswer(status, message, shape);
	return reply.code(status).header('content-type', contentType).send(body);
}

/** What Node cannot read as HTTP reaches no route, and gets the document's error all the same. */
export function refuseMalformed(code: string, socket: Socket): void {
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
