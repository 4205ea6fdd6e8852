import { type JsonRecord, recordsOf, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';

/** The files of an inspection (read with `files`), one record each, in the service's order. */
export function fileRecordsOf(inspection: InspectionRecord): JsonRecord[] {
	return recordsOf(inspection.files).map((file) => ({
		inspection_id: inspection.id,
		inspection_name: inspection.name ?? null,
		file_id: textOf(file.id) ?? null,
		name: listedName(file) ?? null,
		type: fileKind(file),
		file,
	}));
}

/** The name of a file. Both names of its field are assumed (File of docs/service.openapi.yaml). */
export function listedName(file: JsonRecord): string | undefined {
	return textOf(file.name) ?? textOf(file.file_name);
}

/** The kind of a file, such as image; null where the service does not say. Both names of its field are assumed, too. */
export function fileKind(file: JsonRecord): string | null {
	return textOf(file.kind) ?? textOf(file.type) ?? null;
}

/**
 * The name of a file, where the input item has it. The item is the file's own (Get Many's output Files), or it is an
 * inspection with the file among its `files`. File of docs/service.openapi.yaml leaves the names of the fields open.
 */
export function fileNameInItem(
	json: Readonly<Record<string, unknown>>,
	fileId: string,
): string | undefined {
	const isTheFile = ({ file_id, id }: Readonly<Record<string, unknown>>) =>
		[file_id, id].some((own) => textOf(own)?.toLowerCase() === fileId.toLowerCase());
	const file = [json, ...recordsOf(json.files)].find(isTheFile);
	return textOf(file?.name) ?? textOf(file?.file_name);
}
