import { isSameButForNow } from '../answer/sameMoment';
import { jsonText } from '../json';
import type { MappedRow } from './mergeAnswers';
import type { DetailedRow } from './mergeDetails';

type Row = MappedRow & DetailedRow;

/**
 * The rows whose answers or details differ from those of the first row. An inspection that is made of the first row
 * alone lacks theirs.
 */
export function differingRows<Given extends Row>([first, ...others]: readonly [
	Given,
	...Given[],
]): Given[] {
	if (others.length === 0) return [];
	const content = contentOf(first);
	return others.filter((row) => !isSameButForNow(contentOf(row) ?? '', content ?? ''));
}

function contentOf({ mapping, details }: Row): string | undefined {
	const answers = mapping.answers.map(({ question, order, value }) => [
		question.fieldId,
		order,
		value,
	]);
	return jsonText([answers, details.body]);
}
