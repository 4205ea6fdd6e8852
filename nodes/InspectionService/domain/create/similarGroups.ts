import { shownValue } from '../answer/answer';
import { foldName } from '../columnName';
import { listText } from '../listText';
import { type RowGroup, rowNumber } from './groupRows';

/** Pairs that a message names. Chosen: a sheet may have hundreds. */
const SHOWN_PAIRS = 5;

/**
 * A sentence about groups whose values differ only in upper and lower case, such as "Gate 4" and "gate 4". They make
 * two inspections, although most likely one was meant. Undefined where there are no such groups.
 */
export function similarGroups(groups: readonly RowGroup[]): string | undefined {
	const firsts = new Map<string, RowGroup>();
	const pairs: string[] = [];
	for (const group of groups) {
		if (group.value === undefined) continue;
		const name = foldName(group.value);
		const first = firsts.get(name);
		if (first === undefined) firsts.set(name, group);
		else pairs.push(`${shownGroup(first)} / ${shownGroup(group)}`);
	}
	if (pairs.length === 0) return undefined;
	const list = listText(pairs.slice(0, SHOWN_PAIRS), pairs.length);
	return `Group Rows By: ${list} are different inspections, because upper and lower case differ. Write the value alike in all rows of one inspection.`;
}

function shownGroup({ value, rows: [first = 0] }: RowGroup): string {
	return `${shownValue(value)} (row ${String(rowNumber(first))})`;
}
