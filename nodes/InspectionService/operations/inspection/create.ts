import type { IExecuteFunctions } from 'n8n-workflow';

import type { ReadingOptions } from '../../domain/answer/answer';
import { ownColumns } from '../../domain/answer/ownColumns';
import { meansSame } from '../../domain/answer/sameAnswer';
import { templateForm, type TemplateForm } from '../../domain/answer/templateForm';
import { createDetails, type DetailFields } from '../../domain/create/createDetails';
import { checkedRequest } from '../../domain/create/createRequest';
import { differingRows } from '../../domain/create/differingRows';
import { rowNumber } from '../../domain/create/groupRows';
import { type MappedRow, mergeAnswers } from '../../domain/create/mergeAnswers';
import { type DetailedRow, mergeDetails } from '../../domain/create/mergeDetails';
import { namingRow } from '../../domain/create/mergeProblems';
import { unusedDetails } from '../../domain/create/unusedDetails';
import { guidOf, idKey } from '../../domain/id';
import { InputError } from '../../domain/inputError';
import type { JsonRecord } from '../../domain/json';
import { booleanOf, membersOf } from '../../fields/parameterValue';
import { requiredTemplateReference } from '../../fields/templateLocator';
import type { ItemService, ServiceOfItem } from '../../transport/itemServices';
import { copyOfError } from '../../transport/serviceError';
import type { TemplateCache } from '../../transport/templateCache';
import type { Operation, Unit } from '../operation';
import { additionalValues } from './createAdditionalFields';
import { createAttempts } from './createAttempts';
import { createFields } from './createFields';
import { createUnkeyed } from './createInDoubt';
import { createKeyed, type KeyedRequest } from './createKeyed';
import {
	concurrencyOf,
	createOptions,
	type ReadingOptionsOf,
	rememberReadingOptions,
} from './createOptions';
import { createOutputs } from './createOutput';
import { CreateSummary, doneSoFar, type UnusedColumns } from './createSummary';
import { createUnits } from './createUnits';
import { checkMapped, itemAnswers } from './itemAnswers';
import { UnfilledExpressions } from './unfilledExpressions';
import { uniqueKeysOf } from './uniqueKeys';
import { usedColumns } from './usedColumns';

/**
 * Creates one inspection per item, or per group of items: answers are checked before anything is sent, and compared
 * with what was stored.
 */
export const createInspection: Operation = {
	resource: 'inspection',
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create inspection from a template',
		description: 'Create an inspection from a template, with answers and a task',
	},
	fields: createFields(),
	async begin({ context, serviceOf }) {
		const groups = createUnits(context);
		const keys = await uniqueKeysOf({ context, serviceOf }, groups);
		const shared = sharedBy(context, groups.groupColumn, keys.units);
		const attempts = createAttempts(context, keys.units);
		const summary = new CreateSummary(keys.units.length);
		const outputs = createOutputs({ context, serviceOf }, groups, summary);
		return {
			concurrency: concurrencyOf(context),
			units: keys.units,
			async prepare(unit) {
				groups.check(unit);
				const output = outputs.of(unit);
				const key = keys.keyOf(unit);
				const earlier = attempts.earlierOf(unit);
				if (earlier !== undefined && 'created' in earlier) {
					return async () => await output(earlier.created);
				}
				if (earlier !== undefined && key === undefined) throw copyOfError(earlier.inDoubt);
				const service = await serviceOfUnit(serviceOf, unit);
				const request = await unitRequest(context, unit, { ...shared, ...service });
				summary.addRequest(request);
				const create =
					key === undefined
						? createUnkeyed(service.client, request, () => attempts.createdIds())
						: await createKeyed(service.client, request, {
								key,
								isInDoubt: earlier !== undefined,
								lookUp: keys.lookUpIn(service),
							});
				return async () => await output(await attempts.attempt(unit, create));
			},
			hints: () => [summary, shared.unfilled, groups, outputs].flatMap((part) => part.hints()),
			done: doneSoFar(attempts),
		};
	},
};

/** What all units share. */
interface Shared {
	formOf: (template: JsonRecord) => TemplateForm;
	readingOf: ReadingOptionsOf;
	groupColumn: string | undefined;
	/** True for a column that is used though it is no question: no message calls it one that matches none. */
	isOfUse: (key: string) => boolean;
	unfilled: UnfilledExpressions;
}

function sharedBy(
	context: IExecuteFunctions,
	groupColumn: string | undefined,
	units: readonly Unit[],
): Shared {
	return {
		formOf: rememberForms(),
		readingOf: rememberReadingOptions(context.getTimezone()),
		groupColumn,
		isOfUse: usedColumns(context, groupColumn),
		unfilled: new UnfilledExpressions(context, units.flat().length),
	};
}

/** What to send for a unit, and which columns and items are not used for it. Throws InputError with all its problems. */
async function unitRequest(
	context: IExecuteFunctions,
	unit: Unit,
	{ templates, ...shared }: Shared & { templates: TemplateCache },
): Promise<KeyedRequest & UnusedColumns> {
	const { formOf, readingOf, groupColumn, isOfUse, unfilled } = shared;
	const [first] = unit;
	const { reference, template } = await templateOfUnit(context, unit, templates);
	const form = formOf(template);
	const options = createOptions(context, first);
	const reading = readingOf(options);
	checkMapped(context, unit, form, isOfUse);
	const rows = each(unit, (item) => rowOf(context, item, { form, reading, unfilled }));
	const { mapping, details } = groupColumn === undefined ? rows[0] : mergeRows(rows, reading);
	mapping.unknownKeys = mapping.unknownKeys.filter((key) => !isOfUse(key));
	const request = checkedRequest({
		// createInspection of docs/service.openapi.yaml takes a template's GUID, and no identifier.
		templateId: guidOf(template.id) ?? reference,
		form,
		mapping,
		details,
		rowCount: unit.length,
		...reading,
		validate: booleanOf('Validate Responses', options.validateResponses, true),
	});
	return {
		...request,
		template,
		form,
		unmatched: mapping.unknownKeys,
		unusedDetails: rows.flatMap(({ unused }) => unused),
		ownColumns: rows.flatMap(({ ownColumns: columns }) => columns),
		unusedItems: groupColumn === undefined ? differingRows(rows).map(({ item }) => item) : [],
	};
}

/** How the rows of a unit are read. */
interface RowReading extends Pick<Shared, 'unfilled'> {
	form: TemplateForm;
	reading: ReadingOptions;
}

/** What one row gives. `unused` names its columns that look as if they were meant for Additional Fields. */
function rowOf(
	context: IExecuteFunctions,
	item: number,
	{ form, reading, unfilled }: RowReading,
): MappedRow & DetailedRow & { item: number; unused: string[]; ownColumns: string[] } {
	const { mapping, own, columns } = itemAnswers(context, item, form);
	const fields = detailsOf(context, item);
	unfilled.addItem(columns, fields.additionalFields);
	return {
		item,
		row: rowNumber(item),
		mapping,
		details: createDetails(fields, reading),
		unused: own === undefined ? [] : unusedDetails(form, own, fields.additionalFields),
		ownColumns: own === undefined ? [] : ownColumns(form, own),
	};
}

/** Calls `make` for each item of a unit. Where it throws InputError for a row of a group, the message names the row. */
function each<Made>(unit: Unit, make: (item: number) => Made): [Made, ...Made[]] {
	const [first, ...others] = unit;
	if (others.length === 0) return [make(first)];
	const makeOfRow = (item: number) => namingRow(rowNumber(item), () => make(item));
	return [makeOfRow(first), ...others.map(makeOfRow)];
}

/** The rows of a group as one inspection. */
function mergeRows(rows: readonly (MappedRow & DetailedRow)[], reading: ReadingOptions) {
	return {
		mapping: mergeAnswers(rows, (question, a, b) => meansSame(question, a, b, reading)),
		details: mergeDetails(rows),
	};
}

/** The service of a unit. Throws InputError where its rows have different credentials. */
async function serviceOfUnit(serviceOf: ServiceOfItem, unit: Unit): Promise<ItemService> {
	const [first, ...others] = unit;
	const service = await serviceOf(first);
	for (const other of others) {
		if ((await serviceOf(other)).client !== service.client) {
			throw new InputError(
				`Credential: row ${String(rowNumber(first))} and row ${String(rowNumber(other))} have different ones; the rows of one inspection give one credential.`,
			);
		}
	}
	return service;
}

/** The template of a unit. Throws InputError where its rows name different templates. */
async function templateOfUnit(
	context: IExecuteFunctions,
	unit: Unit,
	templates: TemplateCache,
): Promise<{ reference: string; template: JsonRecord }> {
	const [first, ...others] = each(unit, (item) => ({
		row: rowNumber(item),
		reference: requiredTemplateReference(context.getNodeParameter('templateId', item)),
	}));
	const template = await templates(first.reference);
	const id = idKey(String(template.id));
	for (const { row, reference } of others) {
		if (reference.toLowerCase() === first.reference.toLowerCase()) continue;
		const other = await templates(reference).catch(() => undefined);
		if (other !== undefined && idKey(String(other.id)) === id) continue;
		throw new InputError(
			`Template: row ${String(first.row)} says "${first.reference}" and row ${String(row)} says "${reference}"; the rows of one inspection give one template.`,
		);
	}
	return { reference: first.reference, template };
}

/** Makes the form of each template once, however many items have it. */
function rememberForms(): (template: JsonRecord) => TemplateForm {
	const forms = new WeakMap<JsonRecord, TemplateForm>();
	return (template) => {
		const form = forms.get(template) ?? templateForm(template);
		forms.set(template, form);
		return form;
	};
}

function detailsOf(context: IExecuteFunctions, itemIndex: number): DetailFields {
	const createTask = context.getNodeParameter('createTask', itemIndex, false);
	const isTaskWanted = booleanOf('Create Task', createTask, false);
	return {
		additionalFields: additionalValues(context.getNodeParameter('additionalFields', itemIndex, {})),
		task: isTaskWanted ? membersOf(context.getNodeParameter('task', itemIndex, {})) : undefined,
	};
}
