import { STATUS_CODES } from 'node:http';

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

export interface Answerable {
	contentType: string;
	body: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const json = (value: unknown): Answerable => ({
	contentType: JSON_TYPE,
	body: JSON.stringify(value),
});

const titleOf = (status: number) => STATUS_CODES[status] ?? 'Error';

/** A page as a proxy in front of the service would send it. */
export function htmlPage(status: number): Answerable {
	const title = `${String(status)} ${titleOf(status)}`;
	return {
		contentType: 'text/html; charset=utf-8',
		body: `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n<hr><center>gateway</center>\n</body>\n</html>\n`,
	};
}

/** The error in one of the shapes that services use. */
export function errorAnswer(status: number, message: string, shape: ErrorBody): Answerable {
	switch (shape) {
		case 'codeMessage':
			return json({ code: status, message });
		case 'error.message':
			return json({ error: { code: status, message } });
		case 'errorText':
			return json({ error: message });
		case 'errorsArray':
			return json({ errors: [{ code: String(status), message }] });
		case 'errorsObject':
			return json({ errors: { request: [message] } });
		case 'problem':
			return {
				contentType: 'application/problem+json; charset=utf-8',
				body: JSON.stringify({
					type: 'about:blank',
					title: titleOf(status),
					status,
					detail: message,
				}),
			};
		case 'text':
			return { contentType: 'text/plain; charset=utf-8', body: message };
		case 'html':
			return htmlPage(status);
		case 'empty':
			return { contentType: 'text/plain; charset=utf-8', body: '' };
	}
}
