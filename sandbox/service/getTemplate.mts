import type { Caller } from './authentication.mts';
import { listOf } from './listQuery.mts';
import { badRequest, notFound } from './serviceError.mts';
import { templateView } from './view.mts';
import type { ViewContext } from './view.mts';

/** GET /v1/templates/{templateIdOrIdentifier} (interface, section 1). */
export function getTemplate(
	reference: string,
	params: URLSearchParams,
	caller: Caller,
	context: ViewContext,
): object {
	if (reference.trim() === '') {
		throw badRequest('Invalid parameter value: templateIdOrIdentifier is missing or empty');
	}
	const template = context.store.findTemplate(caller.organization.id, reference.trim());
	if (template === undefined || template.deleted) throw notFound('Template not found');
	const includes = listOf(params, 'includes');
	return templateView(template, context, includes.includes('data') || includes.includes('all'));
}
