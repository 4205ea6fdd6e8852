import { idKey } from '../id';
import { InputError } from '../inputError';
import { foldName, withoutAccents } from '../plainText';
import type { Form } from '../template/form';
import type { RepeatableSection } from '../template/questions';

/**
 * The repeatable section that the option Row per Instance Of names: by id, path, label, label without regard to case,
 * or without accents where one fits. Undefined where the template has no such section.
 * @throws InputError where several sections have the label
 */
export function instanceSection(form: Form, name: string): RepeatableSection | undefined {
	const bareOf = (text: string) => withoutAccents(foldName(text));
	const bare = form.sections.filter(({ label }) => bareOf(label) === bareOf(name));
	const found = [
		form.sections.filter((candidate) => idsOf(candidate).includes(name)),
		form.sections.filter(({ controlId }) => idKey(controlId) === idKey(name)),
		form.sections.filter(({ path }) => path === name),
		form.sections.filter(({ label }) => label === name),
		form.sections.filter(({ label }) => foldName(label) === foldName(name)),
		bare.length === 1 ? bare : [],
	].find(({ length }) => length > 0);
	if (found === undefined || found.length === 1) return found?.[0];
	const paths = new Set(found.map(({ path }) => path));
	const [kind, known] =
		paths.size === found.length
			? ['path', [...paths]]
			: ['ID', found.map(({ fieldId }) => fieldId)];
	throw new InputError(
		`Row per Instance Of: ${String(found.length)} sections are called "${name}". Give the ${kind} of one: ${known.map((one) => `"${one}"`).join(' or ')}.`,
	);
}

/** A sentence for the user where none of the templates has the section; undefined where one has it. */
export function missingSection(forms: readonly Form[], name: string): string | undefined {
	if (forms.some((form) => instanceSection(form, name) !== undefined)) return undefined;
	const labels = new Set(forms.flatMap(({ sections }) => sections.map((section) => section.name)));
	const known =
		labels.size === 0
			? 'there is none in the templates of these inspections'
			: `known are ${[...labels].map((label) => `"${label}"`).join(', ')}`;
	return `Row per Instance Of: "${name}" is no repeatable section; ${known}. Each inspection has one row.`;
}

function idsOf(section: RepeatableSection): string[] {
	return [section.fieldId, section.columnId];
}
