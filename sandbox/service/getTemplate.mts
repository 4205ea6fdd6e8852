import type { Caller } from './authentication.mts';
import { notFound } from './serviceError.mts';
import { templateView, type ViewContext } from './view.mts';

/** getTemplate of the document. */
export function getTemplate(
	reference: string,
	includes: readonly string[],
	caller: Caller,
	context: ViewContext,
): object {
	const template = context.store.findTemplate(caller.organization.id, reference.trim());
	if (template === undefined || template.deleted) throw notFound('Template not found');
	return templateView(template, context, includes.includes('data') || includes.includes('all'));
}
