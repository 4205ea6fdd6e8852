import type { RequestFailure } from './requestFailure';

/** The result of a request: the value that was asked for, or why there is none. */
export type RequestResult<Value> = { value: Value } | { failure: RequestFailure };
