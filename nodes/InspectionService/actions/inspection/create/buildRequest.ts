import { type CreateRequest, createRequest } from '../../../domain/create/createRequest';
import { rowConflicts } from '../../../domain/create/groupRows';
import { type SheetFacts, sheetFacts } from '../../../domain/create/sheet';
import { SheetNotices } from '../../../domain/create/sheetNotices';
import type { SheetRowOptions } from '../../../domain/create/sheetRow';
import { withUniqueKey } from '../../../domain/create/uniqueKey';
import { guidOf } from '../../../domain/id';
import { InputError, namingRow } from '../../../domain/inputError';
import type { JsonRecord } from '../../../domain/json';
import { type Form, formOf } from '../../../domain/template/form';
import type { ItemService, Services } from '../../itemServices';
import type { CreateNotices } from './collectNotices';
import type { UniqueKeyIndex, UniqueKeyIndexes } from './findByUniqueKey';
import type { InspectionPlan, Sheet } from './planInspections';
import { readRows } from './readRows';

export interface InspectionRequest extends CreateRequest {
	/** The template of the inspection, as the service returned it. */
	readonly template: JsonRecord;
	readonly service: ItemService;
	/** Undefined for an inspection without a unique key. */
	readonly keyed?: KeyedRequest | undefined;
}

export interface KeyedRequest {
	readonly key: string;
	/** Existing inspections of the request's service, by unique key. */
	readonly keys: UniqueKeyIndex;
	/** Whether an earlier attempt sent the request, and the outcome of that attempt is unknown. */
	readonly wasOutcomeUnknown: boolean;
}

/** Data that the requests of a run share. */
export interface RequestSources {
	readonly services: Services;
	readonly sheet: Sheet;
	readonly indexes: UniqueKeyIndexes;
	readonly notices: CreateNotices;
	readonly reading: SheetRowOptions;
	/** The templates that were read so far. */
	readonly known: WeakMap<JsonRecord, KnownTemplate>;
}

/** A template, prepared for mapping, and what the sheet looks like for it. */
interface KnownTemplate {
	readonly form: Form;
	readonly facts: SheetFacts;
}

/**
 * Builds the request for a planned inspection. Throws InputError with all problems of the rows. Throws RequestFailure if
 * the template can't be read.
 */
export async function buildRequest(
	plan: InspectionPlan,
	sources: RequestSources,
	wasOutcomeUnknown: boolean,
): Promise<InspectionRequest> {
	if (plan.refusal !== undefined) throw plan.refusal;
	const { sheet, notices, reading, indexes } = sources;
	const { key } = plan;
	const { service, reference } = await sourceOf(plan, sheet, sources.services);
	const template = await service.templates.get(reference);
	const { form, facts } = prepared(template, sources);
	const rows = readRows(sheet, form, plan);
	notices.addRows(rows, plan.items.length);
	const ofPlan = new SheetNotices();
	const options = {
		...reading,
		// createInspection (docs/service.openapi.yaml) accepts a template's GUID, but not its identifier.
		templateId: guidOf(template.id) ?? reference,
		isUsed: (column: string) => sheet.parameters.usedColumns.has(column),
		keyProblems: plan.keyProblems,
		sheet: facts,
		isMappingEmpty: sheet.parameters.isMappingEmpty,
	};
	try {
		const { body, ...request } = createRequest(form, rows, options, ofPlan);
		if (key === undefined) return { ...request, body, template, service };
		const keyed = { key, keys: indexes.of(service), wasOutcomeUnknown };
		return { ...request, body: withUniqueKey(body, key), template, service, keyed };
	} finally {
		notices.addAll(ofPlan);
	}
}

function prepared(template: JsonRecord, { sheet, reading, known }: RequestSources): KnownTemplate {
	const earlier = known.get(template);
	if (earlier !== undefined) return earlier;
	const form = formOf(template);
	const found = { form, facts: sheetFacts(form, sheet.rows, reading.words) };
	known.set(template, found);
	return found;
}

/**
 * Returns the service and the template's ID or identifier for a planned inspection. Throws InputError if its rows have
 * different credentials or templates.
 */
async function sourceOf(
	{ items }: InspectionPlan,
	{ cells, numbers, parameters }: Sheet,
	services: Services,
): Promise<{ service: ItemService; reference: string }> {
	const [first, ...others] = items;
	const service = await services.of(first);
	if (others.length === 0) return { service, reference: parameters.templateOf(first) };
	const credentials = [];
	for (const item of items) {
		const { client } = await services.of(item);
		const shown = client === service.client ? 'one' : 'another';
		credentials.push({ row: numbers.of(item), shown });
	}
	const isGap = (item: number) => parameters.template?.takesOnlyEmptyCells(cells[item]) === true;
	const references = [first, ...others.filter((item) => !isGap(item))].map((item) => {
		const row = numbers.of(item);
		return { row, shown: `"${namingRow(row, () => parameters.templateOf(item))}"` };
	});
	const conflicts = [
		...rowConflicts('Credential', 'credential', credentials),
		...rowConflicts('Template', 'template', references, (one, other) => {
			return one.shown.toLowerCase() === other.shown.toLowerCase();
		}),
	];
	if (conflicts.length > 0) throw InputError.ofRow(conflicts, items.length);
	return { service, reference: parameters.templateOf(first) };
}
