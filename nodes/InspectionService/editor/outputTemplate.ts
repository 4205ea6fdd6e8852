import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { isRecord, type JsonRecord, textOf } from '../domain/json';
import { templateIdOf } from '../domain/template/templateOfInspection';
import { templateReference } from '../fields/templateLocator';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { findRecent } from './recentInspections';

/** What a list says where the template of the inspections is not known while the workflow is built. */
export function templateUnknown(context: ILoadOptionsFunctions): string {
	return context.getCurrentNodeParameter('operation') === 'get'
		? 'Choose a recent inspection first'
		: 'Choose a template under Filters first';
}

/**
 * The template (with its controls) whose inspections a node gets, where that is known while the workflow is built: it is
 * the filter Template, or that of the chosen inspection, where this is a recent one. Undefined where it is not known.
 */
export async function outputTemplate(
	context: ILoadOptionsFunctions,
	service: InspectionServiceClient,
): Promise<JsonRecord | undefined> {
	const filtered = context.getCurrentNodeParameter('filters.templateId');
	const reference = isUnresolved(filtered) ? undefined : templateReference(filtered);
	const template = reference ?? (await templateOfChosen(context, service));
	if (template === undefined) return undefined;
	return await service.getTemplate(template, { includeControls: true });
}

async function templateOfChosen(
	context: ILoadOptionsFunctions,
	service: InspectionServiceClient,
): Promise<string | undefined> {
	const locator: unknown = context.getCurrentNodeParameter('inspectionId');
	const id = textOf(isRecord(locator) ? locator.value : locator);
	if (id === undefined || isUnresolved(locator)) return undefined;
	const inspection = await findRecent(service, id);
	return inspection && templateIdOf(inspection);
}

/** Whether a locator is an expression without a value yet: n8n then hands over its text, which begins with `=`. */
export function isUnresolved(locator: unknown): boolean {
	const value = isRecord(locator) ? locator.value : locator;
	return typeof value === 'string' && value.startsWith('=');
}
