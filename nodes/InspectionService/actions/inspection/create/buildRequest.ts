import { type CreateRequest, createRequest } from '../../../domain/create/createRequest';
import { type SheetFacts, sheetFacts } from '../../../domain/create/sheet';
import { SheetNotices } from '../../../domain/create/sheetNotices';
import { withUniqueKey } from '../../../domain/create/uniqueKey';
import { guidOf } from '../../../domain/id';
import type { JsonRecord } from '../../../domain/json';
import { type Form, formOf } from '../../../domain/template/form';
import type { ItemService } from '../../itemServices';
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

interface KeyedRequest {
	readonly key: string;
	/** Existing inspections of the request's service, by unique key. */
	readonly keys: UniqueKeyIndex;
	/** Whether an earlier attempt sent the request, and the outcome of that attempt is unknown. */
	readonly wasOutcomeUnknown: boolean;
}

/** Data that the requests of a run share. */
export interface RequestSources {
	readonly sheet: Sheet;
	readonly indexes: UniqueKeyIndexes;
	readonly notices: CreateNotices;
	/** The templates that were read so far, prepared for mapping, and what the sheet looks like for each. */
	readonly known: WeakMap<JsonRecord, { readonly form: Form; readonly facts: SheetFacts }>;
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
	const { source, refusal, key, keyProblems } = plan;
	if (refusal !== undefined || source === undefined) throw refusal;
	const { sheet, notices, indexes } = sources;
	const { parameters } = sheet;
	const { service, reference } = source;
	const template = await service.templates.get(reference);
	const { form, facts } = prepared(template, sources);
	const rows = readRows(sheet, form, plan);
	notices.addRows(rows);
	const ofPlan = new SheetNotices();
	const options = {
		...parameters,
		// createInspection (docs/service.openapi.yaml) accepts a template's GUID, but not its identifier.
		templateId: guidOf(template.id) ?? reference,
		keyProblems,
		sheet: facts,
	};
	try {
		const request = { ...createRequest(form, rows, options, ofPlan), template, service };
		if (key === undefined) return request;
		const keyed = { key, keys: indexes.of(service), wasOutcomeUnknown };
		return { ...request, body: withUniqueKey(request.body, key), keyed };
	} finally {
		notices.addAll(ofPlan);
	}
}

function prepared(template: JsonRecord, { sheet, known }: RequestSources) {
	const earlier = known.get(template);
	if (earlier !== undefined) return earlier;
	const form = formOf(template);
	const found = { form, facts: sheetFacts(form, sheet.rows, sheet.parameters.words) };
	known.set(template, found);
	return found;
}
