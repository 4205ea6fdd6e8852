import type { INodeExecutionData } from 'n8n-workflow';

import { fileRecordsOf } from '../domain/file/file';
import { type JsonRecord, textOf } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { mapConcurrently, MAX_ACTIVE } from '../domain/mapConcurrently';
import { downloadedFilesCell, longCells } from '../domain/row/cellLimit';
import { answerRecordsOf } from '../domain/row/placedAnswer';
import { missingFields, missingSection, onlyFields, RowSheet, simplified } from '../domain/row/row';
import { ROW_KEY } from '../domain/rowKeys';
import { cleanLine } from '../domain/shownText';
import { hasControls } from '../domain/template/control';
import { type Form, formOf } from '../domain/template/form';
import { templateKey } from '../domain/template/templateOfInspection';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { Memory } from '../transport/memory';
import { type TemplateCache, undefinedWhereUnreadable } from '../transport/templates';
import { type OutputContext, storeInspectionFiles } from './binaryFiles';
import {
	appendAdvice,
	downloadsFiles,
	emptyCell,
	hasFilesCount,
	type OutputChoice,
} from './outputChoice';

/** One item of n8n, before it is paired. */
export type ItemOutput = Pick<INodeExecutionData, 'json' | 'binary'>;

/** A list of items for each inspection, in the same order. Throws what the service's calls throw, and InputError. */
export async function inspectionItems(
	inspections: readonly InspectionRecord[],
	choice: OutputChoice,
	output: OutputContext,
): Promise<ItemOutput[][]> {
	const execution = new ExecutionOutput();
	const makeItems = await execution.add(inspections, choice, output);
	const items = makeItems();
	execution.problems().forEach(output.report);
	return items;
}

interface KnownForms extends Pick<OutputContext, 'service'> {
	/** By `templateKey`. */
	known: ReadonlyMap<string, Form>;
	localZone: string | undefined;
}

/** The outputs of one execution: rows of all its items have one header, and hints look at all of them. */
export class ExecutionOutput {
	/** One for each service and choice of columns: templates of two services can share a GUID. */
	private readonly sheets = new Map<InspectionServiceClient, Memory<RowSheet>>();
	/** For each choice of Fields the keys of all items. */
	private readonly keys = new Map<string, { fields: readonly string[]; keys: Set<string> }>();
	/** For each section of Row per Instance Of the templates in which it is looked for. */
	private readonly forms = new Map<string, Set<Form>>();
	/** A sentence for each template that is not to be had. */
	private readonly unread = new Set<string>();
	/** A sentence for each cell that a spreadsheet can't hold. */
	private readonly tooLong = new Set<string>();
	readonly advice = new Set<string>();

	/** Adds the inspections of one item. The function that it returns makes the items: call it once all were added. */
	async add(
		inspections: readonly InspectionRecord[],
		choice: OutputChoice,
		output: OutputContext,
	): Promise<() => ItemOutput[][]> {
		if (inspections.length > 0) this.advise(choice);
		const made = await this.records(inspections, choice, output);
		const store = async (inspection: InspectionRecord) =>
			await storeInspectionFiles(inspection, choice.maxSize, output);
		const files = downloadsFiles(choice) ? await Promise.all(inspections.map(store)) : [];
		return () => {
			const records = typeof made === 'function' ? made() : made;
			return inspections.map((inspection, index) => {
				const items = this.cut(withFiles(records[index] ?? [], files[index], choice), choice);
				if (choice.output === 'row') this.measure(inspection, items);
				return items;
			});
		};
	}

	/** A sentence for each template, field or section that is missing, once all items were made. */
	problems(): string[] {
		return [
			...this.unread,
			...this.tooLong,
			...[...this.forms].flatMap(([section, forms]) => missingSection([...forms], section) ?? []),
			...[...this.keys.values()].flatMap(({ keys, fields }) => missingFields(keys, fields)),
		];
	}

	private async records(
		inspections: readonly InspectionRecord[],
		choice: OutputChoice,
		{ context, service, templates }: OutputContext,
	): Promise<JsonRecord[][] | (() => JsonRecord[][])> {
		const localZone = choice.datesAs === 'local' ? context.getTimezone() : undefined;
		const formsOf = async () => await templatesOf(inspections, templates, this.unread);
		switch (choice.output) {
			case 'row':
				return this.rows(inspections, choice, { service, known: await formsOf(), localZone });
			case 'answers':
				return answerRecordsOf(inspections, await formsOf(), localZone);
			case 'simplified':
				return inspections.map((inspection) => [simplified(inspection, localZone)]);
			case 'files':
				return inspections.map(fileRecordsOf);
			case 'raw':
				return inspections.map((inspection) => [inspection]);
		}
	}

	/** Rows of all items share their columns: they are made when all are known. */
	private rows(
		inspections: readonly InspectionRecord[],
		choice: OutputChoice,
		{ service, known, localZone }: KnownForms,
	): () => JsonRecord[][] {
		const { columnNames, rowPerInstanceOf, isPartOfAnswers, downloadFiles: hasDownloads } = choice;
		if (rowPerInstanceOf !== undefined && inspections.length > 0) {
			const forms = this.forms.get(rowPerInstanceOf) ?? new Set();
			for (const form of known.values()) forms.add(form);
			this.forms.set(rowPerInstanceOf, forms);
		}
		const hasFiles = hasFilesCount(choice);
		const named = { columnNames, rowPerInstanceOf, localZone };
		const options = {
			...named,
			hasFiles,
			hasDownloads,
			...(isPartOfAnswers && { isPartOfAnswers }),
		};
		const sheets = this.sheets.get(service) ?? new Memory<RowSheet>();
		this.sheets.set(service, sheets);
		const sheet = sheets.getOrMake(JSON.stringify(options), () => new RowSheet(options));
		return sheet.add(inspections, known);
	}

	/** The error of a file stays whatever Fields says: without it a file that did not come looks like one that has. */
	private cut(
		items: ReturnType<typeof withFiles>,
		{ fields, output }: OutputChoice,
	): ReturnType<typeof withFiles> {
		if (fields.length === 0) return items;
		const name = JSON.stringify(fields);
		const { keys } = this.keys.get(name) ?? { keys: new Set<string>() };
		this.keys.set(name, { fields, keys });
		return items.map((item) => {
			for (const key of Object.keys(item.json)) keys.add(key);
			const kept = output === 'files' && 'error' in item.json ? [...fields, 'error'] : fields;
			return { ...item, json: onlyFields(item.json, kept, emptyCell(output)) };
		});
	}

	private measure({ id, name }: InspectionRecord, items: readonly { json: JsonRecord }[]): void {
		const named = `inspection ${cleanLine(textOf(name) ?? id, 100)}`;
		for (const { json } of items) {
			for (const sentence of longCells(json, named)) this.tooLong.add(sentence);
		}
	}

	private advise({ output, rowPerInstanceOf, fields }: OutputChoice): void {
		if (output !== 'row') return;
		const isPerInstance = rowPerInstanceOf !== undefined;
		const key = isPerInstance ? ROW_KEY : 'id';
		if (fields.length === 0 || fields.includes(key)) this.advice.add(appendAdvice(isPerInstance));
	}
}

/** Each record of `files` gets its own file, of other outputs the first gets all of them. */
function withFiles(
	records: readonly JsonRecord[],
	stored: Awaited<ReturnType<typeof storeInspectionFiles>> | undefined,
	{ output }: OutputChoice,
): (ItemOutput & { json: JsonRecord })[] {
	if (stored === undefined) return records.map((json) => ({ json }));
	const { binary, files } = stored;
	if (output === 'files') {
		return records.map((json, place) => {
			const data = binary[`file_${place}`];
			if (data !== undefined) return { json, binary: { data } };
			const { error } = files[place] ?? {};
			return { json: error === undefined ? json : { ...json, error } };
		});
	}
	const downloaded_files = output === 'raw' ? files : downloadedFilesCell(files);
	return records.map((record, place) => {
		if (place > 0) return { json: record };
		const json = { ...record, downloaded_files };
		return files.some(({ error }) => error === undefined) ? { json, binary } : { json };
	});
}

/**
 * The templates of inspections, by `templateKey`, without those that have no list of controls and those that cannot be read
 * or are not named: `unread` gets a sentence for each of these.
 */
async function templatesOf(
	inspections: readonly InspectionRecord[],
	templates: TemplateCache,
	unread: Set<string>,
): Promise<ReadonlyMap<string, Form>> {
	const asStored = 'its answers have the names and values that the service stores.';
	const keys = [...new Set(inspections.map(templateKey))];
	const found = await mapConcurrently(keys, MAX_ACTIVE, async (key) => {
		if (key === '') {
			unread.add(`An inspection comes without the ID of its template: ${asStored}`);
			return [];
		}
		const template = await templates(key).catch(undefinedWhereUnreadable);
		if (template !== undefined && hasControls(template)) return [[key, formOf(template)]] as const;
		const why =
			template === undefined ? 'cannot be read with this API key' : 'came without its questions';
		unread.add(`The template ${cleanLine(key, 100)} ${why}: ${asStored}`);
		return [];
	});
	return new Map(found.flat());
}
