import type { InspectionRecord } from './inspectionPage';
import type { Include } from './inspectionQuery';

/** What a part of an inspection holds, as users call it. */
const PARTS = { data: 'answers', files: 'files' } as const;

/**
 * A sentence for each part, answers or files, that was asked for and that none of the inspections has. Empty cells then
 * say nothing: a user who writes them over good data would lose it. An empty list of files is a part that is there.
 */
export function missingParts(
	inspections: readonly InspectionRecord[],
	includes: readonly Include[],
): string[] {
	if (inspections.length === 0) return [];
	return (['data', 'files'] as const)
		.filter((part) => includes.includes(part))
		.filter((part) => inspections.every((inspection) => (inspection[part] ?? null) === null))
		.map(
			(part) =>
				`No inspection came with ${PARTS[part]} ("${part}"), although they were asked for. What is empty here may not be empty in the service: do not write it over good data, and ask whoever runs the service.`,
		);
}
