import { isAnswerable } from '#sandbox/service/answerRules.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';

/**
 * Returns an inspection's answers by the label or the field ID (`key`) of their question. Omits answers that a create
 * request can't contain, such as files. Answers in a section's second instance have `:2` after the label or ID. The
 * numbering skips instances that only have omitted answers.
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
			const instance = new Set(before.map((other) => other.order)).size + 1;
			return [instance === 1 ? control[key] : `${control[key]}:${String(instance)}`, value];
		}),
	);
}
