import type { INodeExecutionData } from 'n8n-workflow';

import { countOfUnknownKind, fileRecordsOf } from '../domain/file/file';
import { groupBy } from '../domain/groupBy';
import { InputError } from '../domain/inputError';
import type { JsonRecord } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { mapConcurrently } from '../domain/mapConcurrently';
import type { Hint, Notices } from '../domain/notices';
import { downloadedFilesCell } from '../domain/row/cell';
import { answerRecordsOf } from '../domain/row/placedAnswer';
import { rowsOf } from '../domain/row/row';
import {
	ambiguousField,
	ambiguousSection,
	missingFields,
	missingSection,
	onlyFields,
	type RowOptions,
} from '../domain/row/rowOptions';
import { simplified } from '../domain/row/simplified';
import { ROW_KEY } from '../domain/rowKeys';
import type { Form } from '../domain/template/form';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';
import { type OutputContext, type StoredFiles, storeInspectionFiles } from './binaryFiles';
import {
	appendAdvice,
	downloadsFiles,
	hasFilesCount,
	type OutputChoice,
	usesFileKinds,
} from './outputChoice';
import { storeReport } from './reportFile';
import { loadForms } from './templateForms';

/** An output item without `pairedItem`. */
export type ItemOutput = Pick<INodeExecutionData, 'json' | 'binary'>;

/** Everything needed to build the items of some inspections. */
export interface LoadedInspections {
	readonly inspections: readonly InspectionRecord[];
	readonly choice: OutputChoice;
	readonly service: InspectionServiceClient;
	/** Templates that the output needs and that could be read, by `templateKey`. */
	readonly forms: ReadonlyMap<string, Form>;
	/** One sentence per template that couldn't be read or used. */
	readonly unread: readonly string[];
	/** The downloaded files, one entry per inspection. Empty if no files are downloaded. */
	readonly files: readonly StoredFiles[];
	/** The time zone (IANA) for times in the output. Undefined for UTC. */
	readonly localZone: string | undefined;
	/** Whether a poll of the trigger makes the items. */
	readonly isPoll: boolean;
}

/**
 * Reads the templates of inspections and downloads their files, as far as the output needs them. Throws the service's
 * errors. Throws InputError if Row per Instance Of matches several sections, except in a poll, which must go on. In the
 * editor, also throws InputError if a name in Fields matches several questions. In production, that is a warning.
 */
export async function loadInspections(
	inspections: readonly InspectionRecord[],
	choice: OutputChoice,
	output: OutputContext,
): Promise<LoadedInspections> {
	const { context, service, templates, templateFailures: failures } = output;
	const needsForms = ['row', 'answers', 'report'].includes(choice.output);
	const reading = { templates, filtered: choice.template, failures };
	const { forms, unread } = await loadForms(needsForms ? inspections : [], reading);
	const formsOfRows = choice.output === 'row' ? [...forms.values()] : [];
	const sections = formsOfRows.flatMap(
		(form) => ambiguousSection(form, choice.rowPerInstanceOf) ?? [],
	);
	const fields = formsOfRows.flatMap((form) =>
		choice.fields.flatMap((name) => ambiguousField(form, name) ?? []),
	);
	const [refusal] = [
		...(failures === undefined ? sections : []),
		...(context.getMode() === 'manual' ? fields : []),
	];
	if (refusal !== undefined) throw new InputError(refusal);
	const problems = sections.map(
		(text) => `${text} Until then, these inspections have one row each.`,
	);
	const isReport = choice.output === 'report';
	const store = async (inspection: InspectionRecord) =>
		isReport
			? await storeReport(inspection, forms, choice, output)
			: await storeInspectionFiles(inspection, choice, output);
	const stored = isReport || downloadsFiles(choice) ? inspections : [];
	return {
		inspections,
		choice,
		service,
		forms,
		unread: [...unread, ...problems],
		// One report at a time, because each has its photos in memory.
		files: await mapConcurrently(stored, isReport ? 1 : stored.length, store),
		localZone: choice.datesAs === 'local' ? context.getTimezone() : undefined,
		isPoll: !('getInputData' in context),
	};
}

/**
 * Builds the items of each inspection, in the order of `all`. Rows with the same service and column options share one
 * header. Each notice covers all inspections. Throws InputError if rows have too many cells, but not in a poll.
 */
export function renderInspections(
	all: readonly LoadedInspections[],
	notices: Notices,
): ItemOutput[][][] {
	const ofCells = new Set<string>();
	const rows = rowRecords(all, (problem) => ofCells.add(problem));
	const items = all.map((loaded) => {
		const { inspections, choice, files } = loaded;
		const records = rows.get(loaded) ?? recordsOf(loaded);
		return inspections.map((_, index) => withFiles(records[index] ?? [], files[index], choice));
	});
	const problems = [
		...all.flatMap(({ unread }) => unread),
		...ofCells,
		...missingSections(all),
		...unknownKinds(all),
		...unknownFields(all, items),
	];
	for (const problem of problems) notices.add('missing', 'warning', problem);
	const none = noFiles(all, items);
	if (none !== undefined) notices.add('no files', 'info', none);
	return all.map(({ choice }, index) =>
		(items[index] ?? []).map((ofInspection) =>
			ofInspection.map((item) => ({ ...item, json: chosenFields(item.json, choice) })),
		),
	);
}

/** Returns hints on how to add rows to a sheet. */
export function sheetAdvice(all: readonly LoadedInspections[]): Hint[] {
	const advice = all.flatMap(({ inspections, choice }) => {
		if (inspections.length === 0 || choice.output !== 'row') return [];
		const isPerInstance = choice.rowPerInstanceOf !== undefined;
		const isKept = choice.fields.includes(isPerInstance ? ROW_KEY : 'id');
		return choice.fields.length === 0 || isKept ? [appendAdvice(isPerInstance)] : [];
	});
	return [...new Set(advice)].map((message) => ({ message, type: 'info' }));
}

/** Returns the records of each inspection for an output other than Row. */
function recordsOf({ inspections, choice, forms, localZone }: LoadedInspections): JsonRecord[][] {
	switch (choice.output) {
		case 'answers':
			return answerRecordsOf(inspections, forms, localZone);
		case 'simplified':
		case 'report':
			return inspections.map((inspection) => [simplified(inspection, localZone)]);
		case 'files':
			return inspections.map((inspection) => fileRecordsOf(inspection, choice.fileKinds));
		case 'row':
		case 'raw':
			return inspections.map((inspection) => [inspection]);
	}
}

/** Groups inspections by their service and by a key, because templates of two services can have the same GUID. */
export function groupByService(
	loaded: readonly LoadedInspections[],
	keyOf: (one: LoadedInspections) => string,
): LoadedInspections[][] {
	const services = groupBy(loaded, ({ service }) => service);
	return [...services.values()].flatMap((alike) => [...groupBy(alike, keyOf).values()]);
}

/**
 * Returns the rows of all inspections with the output Row. Rows with the same service and column options share a header.
 */
function rowRecords(
	all: readonly LoadedInspections[],
	report: (problem: string) => void,
): ReadonlyMap<LoadedInspections, JsonRecord[][]> {
	const records = new Map<LoadedInspections, JsonRecord[][]>();
	const ofRows = all.filter(({ choice }) => choice.output === 'row');
	for (const sheet of groupByService(ofRows, (loaded) => JSON.stringify(rowOptions(loaded)))) {
		const [options] = sheet.map(rowOptions);
		if (options === undefined) continue;
		const inspections = sheet.flatMap((loaded) => loaded.inspections);
		const forms = new Map(sheet.flatMap((loaded) => [...loaded.forms]));
		const rows = rowsOf(inspections, forms, options, report).values();
		for (const loaded of sheet) {
			const own = loaded.inspections.map(() => rows.next().value ?? []);
			records.set(loaded, own);
		}
	}
	return records;
}

function rowOptions({ choice, localZone, isPoll }: LoadedInspections): RowOptions {
	const { columnNames, rowPerInstanceOf, fields, isPartOfAnswers, downloadFiles } = choice;
	return {
		...{ columnNames, rowPerInstanceOf, fields, isPartOfAnswers, localZone, isPoll },
		hasFiles: hasFilesCount(choice),
		hasDownloads: downloadFiles,
	};
}

/**
 * Returns the fields that the user chose. For the output Files, also keeps `error`, because a failed file would otherwise
 * look like a downloaded one.
 */
function chosenFields(record: JsonRecord, { fields, output }: OutputChoice): JsonRecord {
	if (fields.length === 0) return record;
	const isFailed = output === 'files' && 'error' in record;
	return onlyFields(record, isFailed ? [...fields, 'error'] : fields);
}

/** Returns sentences about the names in the option Fields, for each value of this option. */
function unknownFields(
	all: readonly LoadedInspections[],
	items: readonly (readonly (readonly RecordItem[])[])[],
): string[] {
	const chosen = all.flatMap(({ choice: { fields, output }, forms }, index) => {
		if (fields.length === 0) return [];
		const ofRows = output === 'row' ? [...forms.values()] : [];
		return [{ fields, forms: ofRows, items: items[index]?.flat() ?? [] }];
	});
	return [...groupBy(chosen, ({ fields }) => fields.join('\n')).values()].flatMap((alike) => {
		const names = alike.flatMap((one) => one.items.flatMap(({ json }) => Object.keys(json)));
		const forms = new Set(alike.flatMap((one) => one.forms));
		return missingFields(new Set(names), alike[0]?.fields ?? [], [...forms]);
	});
}

/** Returns why the output Files has no items, although inspections were found. Undefined in a poll. */
function noFiles(
	all: readonly LoadedInspections[],
	items: readonly (readonly (readonly unknown[])[])[],
): string | undefined {
	const found = all.filter(({ choice, isPoll }) => choice.output === 'files' && !isPoll);
	const inspections = found.flatMap((one) => one.inspections);
	if (inspections.length === 0 || found.length < all.length) return undefined;
	// Another notice reports that the service sent no list of files.
	if (items.flat(2).length > 0 || !inspections.every(({ files }) => Array.isArray(files))) {
		return undefined;
	}
	const isLimited = found.some(({ choice }) => choice.fileKinds.length > 0);
	const which = isLimited ? "a file of the kinds in the option 'File Kinds'" : 'a file';
	return `Inspections found: ${String(inspections.length)}. None of them has ${which}.`;
}

/** Returns a sentence if the option File Kinds couldn't be applied to some files. */
function unknownKinds(all: readonly LoadedInspections[]): string[] {
	const counts = all.flatMap(({ inspections, choice }) => {
		const kinds = usesFileKinds(choice) ? choice.fileKinds : [];
		return inspections.map((one) => countOfUnknownKind(one, kinds));
	});
	const count = counts.reduce((a, b) => a + b, 0);
	if (count === 0) return [];
	return [
		`The service didn't send the kind of some files (${String(count)}), so the option 'File Kinds' couldn't be applied to them.`,
	];
}

/** Returns a sentence for each value of Row per Instance Of that isn't a section in any of the templates. */
function missingSections(all: readonly LoadedInspections[]): string[] {
	const ofRows = all.filter(
		({ inspections, choice }) => choice.output === 'row' && inspections.length > 0,
	);
	const bySection = groupBy(ofRows, ({ choice }) => choice.rowPerInstanceOf);
	return [...bySection].flatMap(([section, some]) => {
		const forms = new Set(some.flatMap((loaded) => [...loaded.forms.values()]));
		return section === undefined ? [] : (missingSection([...forms], section) ?? []);
	});
}

interface RecordItem extends ItemOutput {
	json: JsonRecord;
}

/**
 * Adds files to records. With the output `files`, each record gets its own file. With other outputs, the first record
 * gets all files. With the output `report`, the record gets its report.
 */
function withFiles(
	records: readonly JsonRecord[],
	stored: StoredFiles | undefined,
	{ output }: OutputChoice,
): RecordItem[] {
	if (stored === undefined) return records.map((json) => ({ json }));
	const { binary, files } = stored;
	if (output === 'report') return records.map((json) => ({ json, binary }));
	if (output === 'files') {
		return records.map((json, index) => {
			const data = binary[`file_${index}`];
			if (data !== undefined) return { json, binary: { data } };
			const { error } = files[index] ?? {};
			return { json: error === undefined ? json : { ...json, error } };
		});
	}
	const downloaded_files = output === 'raw' ? files : downloadedFilesCell(files);
	return records.map((record, index) => {
		if (index > 0) return { json: record };
		const json = { ...record, downloaded_files };
		return files.some(({ error }) => error === undefined) ? { json, binary } : { json };
	});
}
