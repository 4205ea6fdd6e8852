import type { JsonRecord } from '../../nodes/InspectionService/domain/json.ts';

/**
 * The parameter `pollTimes` of a polling trigger for less than a minute: one entry per fixed second, because n8n
 * refuses an entry that fires more than once a minute.
 */
export function pollEvery(seconds: number): JsonRecord {
	const item = Array.from({ length: Math.ceil(60 / seconds) }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${String(index * seconds)} * * * * *`,
	}));
	return { item };
}
