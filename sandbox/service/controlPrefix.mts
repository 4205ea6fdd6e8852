/** Where the sandbox itself is steered over HTTP: beside the service, and no part of it. */
export const CONTROL_PREFIX = '/_control';
