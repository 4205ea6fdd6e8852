import { jsonText } from '../json';
import type { MappedRow } from './mergeAnswers';
import type { DetailedRow } from './mergeDetails';

type Row = MappedRow & DetailedRow;

/**
 * The rows, by the numbers that people know them by, that say something else than the first one: an inspection made of the
 * first row alone has nothing of theirs.
 */
export function differingRows([first, ...others]: readonly [Row, ...Row[]]): number[] {
	if (others.length === 0) return [];
	const content = contentOf(first);
	return others.filter((row) => contentOf(row) !== content).map(({ row }) => row);
}

function contentOf({ mapping, details }: Row): string | undefined {
	const answers = mapping.answers.map(({ question, order, value }) => [
		question.fieldId,
		order,
		value,
	]);
	return jsonText([answers, details.body]);
}
