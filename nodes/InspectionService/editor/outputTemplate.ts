import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { type JsonRecord, textOf } from '../domain/json';
import { templateIdOf } from '../domain/template/templateOfInspection';
import { templateReference } from '../fields/locators';
import { expressionOf, locatorValue } from '../fields/parameterValue';
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
	const id = chosenInspection(context);
	if (id === undefined) return undefined;
	const inspection = await findRecent(service, id);
	return inspection && templateIdOf(inspection);
}

/** The id of the chosen inspection; undefined where none is chosen, or by an expression without a value yet. */
export function chosenInspection(context: ILoadOptionsFunctions): string | undefined {
	const locator = context.getCurrentNodeParameter('inspectionId');
	return isUnresolved(locator) ? undefined : textOf(locatorValue(locator));
}

/** Whether a locator is an expression without a value yet: n8n then hands over its text, which begins with `=`. */
export function isUnresolved(locator: unknown): boolean {
	return expressionOf(locatorValue(locator)) !== undefined;
}
