import type { InspectionRecord } from '../../domain/list/inspectionPage';
import type { InspectionPageQuery } from '../../domain/list/inspectionQuery';
import type { InspectionReader, PageRequest } from '../../domain/list/inspectionReader';

/**
 * Makes a reader's requests and hands back its result. After a failure no further request is started, those
 * under way are waited for, and the first failure is thrown.
 */
export async function readInspections(
	reader: InspectionReader,
	listPage: (query: InspectionPageQuery) => Promise<InspectionRecord[]>,
): Promise<InspectionRecord[]> {
	const failures: unknown[] = [];
	const serve = async (request: PageRequest): Promise<void> => {
		try {
			reader.receive(request, await listPage(request.query));
		} catch (error) {
			failures.push(error);
		}
		await serveNext();
	};
	const serveNext = async () => {
		if (failures.length === 0) await Promise.all(reader.requests().map(serve));
	};
	await serveNext();
	if (failures.length > 0) throw failures[0];
	return reader.result();
}
