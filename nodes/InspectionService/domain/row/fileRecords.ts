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

/** The fields of a file object are not shown (File of docs/service.openapi.yaml); both names have been seen. */
export function listedName(file: JsonRecord): string | undefined {
	return textOf(file.name) ?? textOf(file.file_name);
}

/** Image, video and so on; null where the service does not say. Both names have been seen. */
export function fileKind(file: JsonRecord): string | null {
	return textOf(file.kind) ?? textOf(file.type) ?? null;
}
