import { ANSWERABLE_TYPES } from '#connector/domain/template/questions.ts';
import type { Control } from '#sandbox/service/model.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';

/**
 * What the service keeps of an inspection's answers, those that can be given at creation: by label or, where labels
 * are not unique, by field id; `:2` behind those of a second instance. Instances without any such answer do not count.
 */
export function storedAnswers(
	sandbox: Sandbox,
	id: unknown,
	key: 'label' | 'fieldId' = 'label',
): Record<string, unknown> {
	const inspection = sandbox.store.find(String(id));
	const template = sandbox.store.findTemplate(null, inspection?.templateId ?? '');
	const controls = new Map(template?.controls.map((control) => [control.id, control]));
	const answers = (inspection?.answers ?? []).flatMap(({ controlId, order, value }) => {
		const control = controls.get(controlId);
		return control === undefined || !isAnswerable(control) ? [] : [{ control, order, value }];
	});
	return Object.fromEntries(
		answers.map(({ control, order, value }) => {
			const section = answers.filter(({ control: { repeatableId } }) => {
				return repeatableId === control.repeatableId;
			});
			const before = section.filter((answer) => answer.order < order);
			const place = new Set(before.map((answer) => answer.order)).size + 1;
			return [place === 1 ? control[key] : `${control[key]}:${String(place)}`, value];
		}),
	);
}

function isAnswerable({ type }: Control): boolean {
	return ANSWERABLE_TYPES.some((answerable) => answerable === type);
}
