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
