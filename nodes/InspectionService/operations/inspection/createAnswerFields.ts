import type { INodeProperties } from 'n8n-workflow';

import { type FormTrait, TRAITS } from '../../fields/formTraits';

/** Hides the mapper until a template is chosen, because n8n would show an error for a mapper without questions. */
const TEMPLATE_CHOSEN = { hide: { templateId: [''] } };

/** The mapper of answers and its notices. */
export function answerFields(): INodeProperties[] {
	return [answers(), ...answersNotices()];
}

function answers(): INodeProperties {
	return {
		displayName: 'Answers',
		name: 'responses',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		description: 'The answers to the questions of the template. An empty field is not answered.',
		builderHint: {
			propertyHint:
				'With rows of a spreadsheet use mappingMode autoMapInputData: the fields of an item are named by question labels, ":2" after one means the second instance of a repeatable section. With defineBelow the keys of value are field_id values, and section:<field_id> takes an array with one object per instance.',
		},
		displayOptions: TEMPLATE_CHOSEN,
		typeOptions: {
			loadOptionsDependsOn: ['templateId.value'],
			resourceMapper: {
				resourceMapperMethod: 'getQuestionColumns',
				mode: 'add',
				valuesLabel: 'Answers',
				fieldWords: { singular: 'question', plural: 'questions' },
				addAllFields: true,
				supportAutoMap: true,
				refreshStaleSchemaOnOpen: true,
				// The notice of `getQuestionColumns` gives the reason. This line is needed for n8n's link to try again.
				noFieldsError: 'There are no questions to show',
			},
		},
	};
}

/**
 * Notices that explain the fields of the mapper, because n8n 2.41 shows nothing but a question's name there. Each idea
 * has a notice of its own, because n8n takes line breaks out of a notice.
 */
function answersNotices(): INodeProperties[] {
	return [
		{
			...answersNotice(
				'choiceForModelNotice',
				'A question with choices has no button to let the model fill it. Switch its field to Expression and write {{ $fromAI("Result", "Pass, Fail or N/A") }}, with the name of the question and its choices.',
			),
			displayOptions: {
				...TEMPLATE_CHOSEN,
				show: { '@tool': [true], '/responses.mappingMode': ['defineBelow'] },
			},
		},
		noticeForForm(
			'severalChoices',
			'severalChoicesNotice',
			'Several choices for one question: switch its field to Expression and write them with commas between them, such as Dust, Noise',
		),
		noticeForForm(
			'sections',
			'sectionsNotice',
			'A name with › fills one entry of its section. More entries: rows and Group Rows By, or add “… (list, one entry each)”.',
		),
		noticeForForm(
			'manyQuestions',
			'longTemplateNotice',
			'Of a long template 50 questions are shown, and “Add question to send” has the others; where it is missing, choose the template again. The mode “Map Automatically” takes all of them.',
		),
	];
}

/** A notice for forms with this trait only. n8n keeps the traits with the columns that it has asked for. */
function noticeForForm(trait: FormTrait, name: string, displayName: string): INodeProperties {
	const notice = answersNotice(name, displayName);
	const show = { ...notice.displayOptions?.show, [`/responses.schema[0].${TRAITS}`]: [trait] };
	return { ...notice, displayOptions: { ...notice.displayOptions, show } };
}

function answersNotice(name: string, displayName: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'notice',
		default: '',
		displayOptions: { ...TEMPLATE_CHOSEN, show: { '/responses.mappingMode': ['defineBelow'] } },
	};
}
