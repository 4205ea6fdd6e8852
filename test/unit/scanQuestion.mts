import type { ScanQuestion } from '../../nodes/InspectionService/domain/cursor/cursorScan.ts';
import { EVERYTHING } from '../../nodes/InspectionService/domain/cursor/cursorScope.ts';

/** What a trigger without any option of its own asks. */
export const QUESTION: ScanQuestion = {
	event: 'updated',
	scope: EVERYTHING,
	includes: [],
	lookback: 60,
	maxItems: 500,
	oncePerInspection: false,
	matches: () => true,
};
