import { STATUS_CODES } from 'node:http';

import type { FastifyReply } from 'fastify';

/** An error response with `status` and `message`, as the OpenAPI document specifies it. */
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

/** Returns an HTML error page like that of a proxy in front of the service. */
export function htmlPage(status: number): string {
	const title = `${String(status)} ${STATUS_CODES[status] ?? 'Error'}`;
	return `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n<hr><center>gateway</center>\n</body>\n</html>\n`;
}

/** Returns an error body of the OpenAPI document. */
export const errorBody = (code: number, message: string) => JSON.stringify({ code, message });

/**
 * Returns the status and message for an error, as the OpenAPI document specifies them. They never include a stack
 * trace.
 */
function describe(error: unknown): { status: number; message: string } {
	if (error instanceof ServiceError) return error;
	const { statusCode: status }: { statusCode?: number } = Object(error);
	if (status === 413) return { status, message: 'The request is too large' };
	if (status !== undefined && status < 500) return { status, message: 'Invalid request' };
	return { status: 500, message: 'Internal server error, try again later' };
}

export function sendError(error: unknown, reply: FastifyReply): FastifyReply {
	const { status, message } = describe(error);
	return reply.code(status).header('content-type', JSON_TYPE).send(errorBody(status, message));
}
