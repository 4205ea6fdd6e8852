import { STATUS_CODES } from 'node:http';

import type { FastifyReply } from 'fastify';

import type { ErrorBody } from './settings.mts';

/** An error response of the document: `message` is what the caller reads. */
export class ServiceError extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.name = 'ServiceError';
		this.status = status;
	}
}

export const badRequest = (message: string) => new ServiceError(400, message);
export const unauthorized = () =>
	new ServiceError(401, 'Access denied because of invalid or missing credentials');
export const forbidden = (message: string) => new ServiceError(403, message);
export const notFound = (message: string) => new ServiceError(404, message);

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A page as a proxy in front of the service would send it. */
export function htmlPage(status: number): string {
	const title = `${String(status)} ${STATUS_CODES[status] ?? 'Error'}`;
	return `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n<hr><center>gateway</center>\n</body>\n</html>\n`;
}

/** The error in one of the shapes that services use (AnyErrorBody of the document). */
export function errorAnswer(status: number, message: string, shape: ErrorBody) {
	const bodies: Record<ErrorBody, object | string> = {
		codeMessage: { code: status, message },
		'error.message': { error: { code: status, message } },
		errorText: { error: message },
		errorsArray: { errors: [{ code: String(status), message }] },
		errorsObject: { errors: { request: [message] } },
		problem: { type: 'about:blank', title: STATUS_CODES[status], status, detail: message },
		text: message,
		html: htmlPage(status),
		empty: '',
	};
	const body = bodies[shape];
	if (typeof body === 'string') {
		return { contentType: `text/${shape === 'html' ? 'html' : 'plain'}; charset=utf-8`, body };
	}
	const contentType = shape === 'problem' ? 'application/problem+json; charset=utf-8' : JSON_TYPE;
	return { contentType, body: JSON.stringify(body) };
}

/** What went wrong as a status and a message of the document; never a stack trace. */
function describe(error: unknown): { status: number; message: string } {
	if (error instanceof ServiceError) return error;
	const { statusCode: status }: { statusCode?: number } = Object(error);
	if (status === 413) return { status, message: 'The request is too large' };
	if (status !== undefined && status < 500) return { status, message: 'Invalid request' };
	return { status: 500, message: 'Internal server error, try again later' };
}

export function sendError(error: unknown, reply: FastifyReply, shape: ErrorBody): FastifyReply {
	const { status, message } = describe(error);
	const { contentType, body } = errorAnswer(status, message, shape);
	return reply.code(status).header('content-type', contentType).send(body);
}
