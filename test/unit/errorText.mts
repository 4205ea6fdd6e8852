import type { InputError } from '#connector/domain/inputError.ts';

/** As a list shows it: the message, then a line for each problem. */
export function textOfError({ message, detail = [] }: InputError): string {
	return [message, ...detail].join('\n');
}
