import { type ChoiceColumns, findChoiceColumns } from '../../../domain/create/choiceColumns';
import { type CreateRequest, createRequest } from '../../../domain/create/createRequest';
import { verticalProblem } from '../../../domain/create/inspectionRows';
import { nearColumns } from '../../../domain/create/nearColumns';
import { rowConflicts } from '../../../domain/create/rowConflicts';
import { SheetNotices } from '../../../domain/create/sheetNotices';
import type { RowReading } from '../../../domain/create/sheetRow';
import { withUniqueKey } from '../../../domain/create/uniqueKey';
import {
	columnsOf,
	hasQuestionColumn,
	headerRow,
	isColumnOf,
	titleFix,
} from '../../../domain/create/unusedColumns';
import { guidOf } from '../../../domain/id';
import { InputError, namingRow } from '../../../domain/inputError';
import type { JsonRecord } from '../../../domain/json';
import type { Problem } from '../../../domain/problem';
import { type Form, formOf } from '../../../domain/template/form';
import type { Run } from '../../action';
import type { ItemService, Services } from '../../itemServices';
import type { CreateNotices } from './notices';
import type { InspectionPlan, Sheet } from './plan';
import { readRows } from './rows';
import type { UniqueKeyIndex, UniqueKeyIndexes } from './uniqueKeyIndex';

export interface InspectionRequest extends Pick<CreateRequest, 'body' | 'sent' | 'suspicious'> {
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
	/** A sentence about the row that seems to be the header (`headerRow`). Undefined without such a row. */
	readonly header: string | undefined;
	readonly vertical: Problem | undefined;
	readonly choices: ChoiceColumns;
	/** The problems of columns that match no question, but seem to be meant for one. */
	readonly near: ReadonlyMap<string, Problem>;
	/** Whether a column of the sheet matches a question. */
	readonly isMapped: boolean;
	/**
	 * Advice about a title above the header (`titleFix`). Only set for manual mapping: with automatic mapping, the
	 * problem about unmatched columns contains this advice.
	 */
	readonly title: string | undefined;
}

/** Builds the requests of one run. */
export class CreateRequests {
	private readonly services: Services;
	private readonly sheet: Sheet;
	private readonly uniqueKeyIndexes: UniqueKeyIndexes;
	private readonly notices: CreateNotices;
	private readonly reading: RowReading;
	private readonly templates = new WeakMap<JsonRecord, KnownTemplate>();

	constructor(
		{ services }: Run,
		sheet: Sheet,
		uniqueKeyIndexes: UniqueKeyIndexes,
		notices: CreateNotices,
		reading: RowReading,
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
		const { form, title, ...ofSheet } = this.known(template);
		const rows = readRows(sheet, form, plan);
		notices.addRows(rows, plan.items.length);
		const ofPlan = new SheetNotices();
		const options = {
			...this.reading,
			// createInspection (docs/service.openapi.yaml) accepts a template's GUID, but not its identifier.
			templateId: guidOf(template.id) ?? reference,
			isUsed: (column: string) => sheet.parameters.usedColumns.has(column),
			keyProblems: plan.keyProblems,
			...ofSheet,
			titleFix: title,
			isMappingEmpty: sheet.parameters.isMappingEmpty,
		};
		let request: CreateRequest;
		try {
			request = createRequest(form, rows, options, ofPlan);
		} finally {
			notices.ofRows.addAll(ofPlan);
		}
		const { sent, suspicious } = request;
		const body = key === undefined ? request.body : withUniqueKey(request.body, key);
		const keyed =
			key === undefined
				? undefined
				: { key, keys: this.uniqueKeyIndexes.of(service), wasOutcomeUnknown };
		return { body, sent, suspicious, template, service, keyed };
	}

	private known(template: JsonRecord): KnownTemplate {
		const earlier = this.templates.get(template);
		if (earlier !== undefined) return earlier;
		const form = formOf(template);
		const { rows, parameters } = this.sheet;
		const header = headerRow(rows, (cell) => isColumnOf(form, cell));
		const isTitled = parameters.labels !== undefined && header !== undefined;
		const title = isTitled ? titleFix(columnsOf(rows), header) : undefined;
		const vertical = verticalProblem(rows, (cell) => isColumnOf(form, cell));
		const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
		const choices = findChoiceColumns(form, rows, this.reading.words);
		const near = new Map([...nearColumns(form, columns, choices.columns), ...choices.problems]);
		const isMapped =
			hasQuestionColumn(form, rows) || choices.columns.size + choices.problems.size > 0;
		const known = { form, header, isMapped, title, vertical, near, choices };
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
