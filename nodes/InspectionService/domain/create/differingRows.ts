import { jsonText } from '../json';
import type { MappedRow } from './mergeAnswers';
import type { DetailedRow } from './mergeDetails';

type Row = MappedRow & DetailedRow;

/** The rows that say something else than the first one: an inspection made of the first row alone has nothing of theirs. */
export function differingRows<Given extends Row>([first, ...others]: readonly [
	Given,
	...Given[],
]): Given[] {
	if (others.length === 0) return [];
	const content = contentOf(first);
	return others.filter((row) => contentOf(row) !== content);
}

function contentOf({ mapping, details }: Row): string | undefined {
	const answers = mapping.answers.map(({ question, order, value }) => [
		question.fieldId,
		order,
		value,
	]);
	return jsonText([answers, details.body]);
}
