import { deepCopy, type IDataObject } from 'n8n-workflow';

import { TOO_MANY } from '../../cache/templateCache';
import { MemoryBudget } from '../../domain/memoryBudget';
import { emptyRow } from '../../domain/row/rowTable';
import { formOf } from '../../domain/template/form';
import { type Question, questionsOf } from '../../domain/template/questions';
import { parametersOf } from '../../fields/field';
import { NO_QUESTIONS } from '../../fields/formTraits';
import { perItem, type Run } from '../action';
import { TEMPLATE_FIELDS } from './templateFields';

/** Retrieves one template per item. */
export function startGetTemplate({ context, services, notices }: Run) {
	const budget = new MemoryBudget(TOO_MANY);
	return perItem(
		{ context },
		{
			async check(item) {
				const chosen = parametersOf(context, item, TEMPLATE_FIELDS);
				return { ...chosen, templates: (await services.of(item)).templates };
			},
			async send({ templateId, output, instances, includeControls, templates }) {
				if (output === 'template') {
					const template = await templates.get(templateId, { includeControls });
					budget.add(template);
					// Items can share a template, and the next node can modify its items.
					return [deepCopy(template)];
				}
				const template = await templates.get(templateId, { includeControls: true });
				const { questions } = questionsOf(template);
				if (questions.length === 0) notices.add('no questions', 'warning', NO_QUESTIONS);
				return output === 'questions'
					? questions.map(questionItem)
					: [emptyRow(formOf(template), instances)];
			},
			render: (outcomes) => outcomes.map((records) => records.map((json) => ({ json }))),
		},
	);
}

function questionItem(question: Question): IDataObject {
	const { section } = question;
	return {
		field_id: question.fieldId,
		template_control_id: question.controlId,
		label: question.label,
		path: question.path,
		type: question.type,
		required: question.required,
		choices: [...question.choices],
		repeatable_section: section && {
			field_id: section.fieldId,
			label: section.label,
			path: section.path,
		},
	};
}
