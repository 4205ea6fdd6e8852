import { isAnswerable } from '#sandbox/service/answerRules.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';

/**
 * The service's stored answers of an inspection, limited to those that can be given at creation. Keys are labels or,
 * if labels aren't unique, field IDs, followed by `:2` for a second instance. Instances without any such answer don't
 * count.
 */
export function storedAnswers(
	sandbox: Sandbox,
	id: unknown,
	key: 'label' | 'fieldId' = 'label',
): Record<string, unknown> {
	const inspection = sandbox.store.find(String(id));
	const template = sandbox.store.findTemplate(null, inspection?.templateId ?? '');
	const answerable = template?.controls.filter(isAnswerable);
	const controls = new Map(answerable?.map((control) => [control.id, control]));
	const answers = (inspection?.answers ?? []).flatMap(({ controlId, order, value }) => {
		const control = controls.get(controlId);
		return control === undefined ? [] : [{ control, order, value }];
	});
	return Object.fromEntries(
		answers.map(({ control, order, value }) => {
			const before = answers.filter(
				(other) => other.control.repeatableId === control.repeatableId && other.order < order,
			);
			const place = new Set(before.map((other) => other.order)).size + 1;
			return [place === 1 ? control[key] : `${control[key]}:${String(place)}`, value];
		}),
	);
}
