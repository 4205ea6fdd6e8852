import { type CreateRequest, createRequest } from '../../../domain/create/createRequest';
import { rowConflicts } from '../../../domain/create/rowConflicts';
import { type SheetFacts, sheetFacts } from '../../../domain/create/sheet';
import { SheetNotices } from '../../../domain/create/sheetNotices';
import type { SheetRowOptions } from '../../../domain/create/sheetRow';
import { withUniqueKey } from '../../../domain/create/uniqueKey';
import { guidOf } from '../../../domain/id';
import { InputError, namingRow } from '../../../domain/inputError';
import type { JsonRecord } from '../../../domain/json';
import { type Form, formOf } from '../../../domain/template/form';
import type { Run } from '../../action';
import type { ItemService, Services } from '../../itemServices';
import type { CreateNotices } from './notices';
import type { InspectionPlan, Sheet } from './plan';
import { readRows } from './rows';
import type { UniqueKeyIndex, UniqueKeyIndexes } from './uniqueKeyIndex';

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

interface KnownTemplate {
	readonly form: Form;
	readonly facts: SheetFacts;
}

/** Builds the requests of one run. */
export class CreateRequests {
	private readonly services: Services;
	private readonly sheet: Sheet;
	private readonly uniqueKeyIndexes: UniqueKeyIndexes;
	private readonly notices: CreateNotices;
	private readonly reading: SheetRowOptions;
	private readonly templates = new WeakMap<JsonRecord, KnownTemplate>();

	constructor(
		{ services }: Run,
		sheet: Sheet,
		uniqueKeyIndexes: UniqueKeyIndexes,
		notices: CreateNotices,
		reading: SheetRowOptions,
	) {
		this.services = services;
		this.sheet = sheet;
		this.uniqueKeyIndexes = uniqueKeyIndexes;
		this.notices = notices;
		this.reading = reading;
	}

	/**
	 * Builds the request for a planned inspection. Throws InputError with all problems of the rows. Throws
	 * RequestFailure if the template can't be read.
	 */
	async requestFor(plan: InspectionPlan, wasOutcomeUnknown: boolean): Promise<InspectionRequest> {
		if (plan.refusal !== undefined) throw plan.refusal;
		const { sheet, notices } = this;
		const { key } = plan;
		const { service, reference } = await sourceOf(plan, sheet, this.services);
		const template = await service.templates.get(reference);
		const { form, facts } = this.known(template);
		const rows = readRows(sheet, form, plan);
		notices.addRows(rows, plan.items.length);
		const ofPlan = new SheetNotices();
		const options = {
			...this.reading,
			// createInspection (docs/service.openapi.yaml) accepts a template's GUID, but not its identifier.
			templateId: guidOf(template.id) ?? reference,
			isUsed: (column: string) => sheet.parameters.usedColumns.has(column),
			keyProblems: plan.keyProblems,
			sheet: facts,
			isMappingEmpty: sheet.parameters.isMappingEmpty,
		};
		let request: CreateRequest;
		try {
			request = createRequest(form, rows, options, ofPlan);
		} finally {
			notices.addAll(ofPlan);
		}
		const body = key === undefined ? request.body : withUniqueKey(request.body, key);
		const keyed =
			key === undefined
				? undefined
				: { key, keys: this.uniqueKeyIndexes.of(service), wasOutcomeUnknown };
		return { ...request, body, template, service, keyed };
	}

	private known(template: JsonRecord): KnownTemplate {
		const earlier = this.templates.get(template);
		if (earlier !== undefined) return earlier;
		const form = formOf(template);
		const known = { form, facts: sheetFacts(form, this.sheet.rows, this.reading.words) };
		this.templates.set(template, known);
		return known;
	}
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
