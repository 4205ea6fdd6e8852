import type { ResourceMapperField } from 'n8n-workflow';

import type { FormTrait, TRAITS } from '../fields/formTraits';

/** A column of the mapper. n8n saves it in the workflow as it is. */
export interface QuestionColumn extends ResourceMapperField {
	/** The id of the template that it was made for. Missing in a mapping that the editor has not made. */
	template?: string;
	/** Of the first column only: what the form has that a notice explains. */
	[TRAITS]?: readonly FormTrait[];
}

/** What stands before the name of a column whose question is gone: n8n 2.41 cuts a name after about 27 characters. */
const GONE_MARK = '(gone) ';

/**
 * The saved columns that have a value, and whose question is no longer among the template's `columns`. n8n 2.41 drops
 * every value whose column does not come back, and saves that. So these come back: their mapping stays until the user
 * takes it out, and is the question's again when the question returns to the template. Until then Create refuses the
 * value by name. Columns of another template do not come back: the user has chosen a new one.
 */
export function goneColumns(
	columns: readonly QuestionColumn[],
	saved: { columns: readonly QuestionColumn[]; mapped: ReadonlySet<string> },
	templateId: string,
): QuestionColumn[] {
	const present = new Set(columns.map(({ id }) => id));
	return saved.columns
		.filter(({ id, template }) => {
			const isOfTemplate = template === undefined || template === templateId;
			return isOfTemplate && saved.mapped.has(id) && !present.has(id);
		})
		.map(({ id, displayName, type }) => ({
			...{ id, displayName: markedName(displayName), template: templateId },
			// Without its choices, which n8n hands over as it has worked them out: a text shows any value as it is saved.
			type: type === 'options' ? 'string' : type,
			...{ required: false, removed: false, defaultMatch: false, display: true },
		}));
}

function markedName(name: string): string {
	return name.startsWith(GONE_MARK) ? name : GONE_MARK + name;
}
