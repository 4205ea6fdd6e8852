import type { IDisplayOptions } from 'n8n-workflow';

import {
	type DetailParameter,
	DETAILS,
	MAX_ASSIGNEES,
	PRIORITIES,
} from '../../../domain/create/details';
import { STATUSES } from '../../../domain/list/inspectionQuery';
import {
	addedToggle,
	type Declared,
	optionalChoice,
	optionsCollection,
	propertiesOf,
	type Property,
	text,
	texts,
	time,
	titled,
	toggle,
} from '../../../fields/field';
import { type FormTrait, TRAITS } from '../../../fields/formTraits';
import { team, TEMPLATE, UNIQUE_KEY_DAYS } from '../../../fields/locators';
import { CREATE_OUTPUT } from '../../../fields/output';
import type { OperationDescription } from '../../action';

// The fields of Create, by the names that workflows save. Name, Unique Key, Answers, Additional Fields, and Task are only
// declared here. The domain reads their values, so that all problems of a row are reported together.

function shownOnly(property: Property): Declared {
	return { property };
}

export const NAME = text({
	displayName: DETAILS.body.name.label,
	placeholder: 'e.g. {{ $json["Site name"] }}, weekly',
	description: "Name of the inspection, or empty for the template's name and the time",
});

const UNIQUE_KEY = text({
	displayName: 'Unique Key',
	placeholder: 'e.g. {{ $json["Order No"] }}',
	description:
		"A value that only this inspection has, such as an order number. If an inspection with this key exists, it's returned instead of created again.",
});

const LINES = { typeOptions: { rows: 3 } };

export const ADDITIONAL_FIELDS = {
	createdBy: text({
		displayName: DETAILS.body.createdBy.label,
		placeholder: 'e.g. kim@example.com',
		description: "Email of the user to set as creator, who needs access to the template's team",
	}),
	customFields: shownOnly({
		displayName: 'Custom Fields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Custom Field',
		default: {},
		options: [
			{
				displayName: 'Custom Field',
				name: 'customField',
				values: propertiesOf({
					name: text({ displayName: 'Name', description: 'Name of the custom field' }),
					value: text({ displayName: 'Value', description: 'Value of the custom field' }),
				}),
			},
		],
	}),
	description: text({
		displayName: DETAILS.body.description.label,
		...LINES,
		description: 'Description of the inspection',
	}),
	locations: text({
		displayName: DETAILS.body.locations.label,
		...LINES,
		placeholder: 'e.g. [{"name": "Gate 4"}]',
		description: 'A list of locations in square brackets, each in braces with its fields',
	}),
	status: optionalChoice({
		displayName: DETAILS.body.status.label,
		options: titled(STATUSES),
		default: 'new',
		description: 'Status of the new inspection',
	}),
	teamId: team("The template's team, which is also used if this field is empty"),
} satisfies Record<Exclude<DetailParameter<'body'>, 'name'> | 'customFields', Declared>;

export const TASK = {
	assignee: text({
		displayName: DETAILS.task.assignee.label,
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Assignee' },
		placeholder: 'e.g. kim@example.com',
		description: `Emails of up to ${String(MAX_ASSIGNEES)} members, or empty for the creator of the inspection`,
	}),
	dueDateTime: time({
		displayName: DETAILS.task.dueDateTime.label,
		description: "When the task is due, by default in the workflow's time zone",
	}),
	instructions: text({
		displayName: DETAILS.task.instructions.label,
		...LINES,
		description: 'What to do',
	}),
	priority: optionalChoice({
		displayName: DETAILS.task.priority.label,
		options: titled(PRIORITIES),
		default: 'medium',
		description: 'Priority of the task',
	}),
	title: text({
		displayName: DETAILS.task.title.label,
		description: 'Title of the task, or empty for the name of the inspection',
	}),
} satisfies Record<DetailParameter<'task'>, Declared>;

/** Hides the mapper until a template is chosen, because n8n shows an error for a mapper without questions. */
const TEMPLATE_CHOSEN = { hide: { templateId: [''] } };

const ANSWERS = shownOnly({
	displayName: 'Answers',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	description: "The answers to the template's questions",
	builderHint: {
		propertyHint: `For spreadsheet rows, use mappingMode autoMapInputData: an item's fields are named by question labels, and ":2" after a label means the second instance of a repeatable section. With defineBelow, the keys of value are field_id values, and section:<field_id> accepts an array with one object per instance.`,
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
			// The notice from `getQuestionColumns` contains the reason. n8n only shows its retry link if this text
			// is set.
			noFieldsError: 'No questions to show',
		},
	},
});

const BY_HAND = { '/responses.mappingMode': ['defineBelow'] };

/** Shows a notice only for forms with this trait. n8n saves a form's traits with the mapper's columns. */
const formsWith = (trait: FormTrait) => ({
	...BY_HAND,
	[`/responses.schema[0].${TRAITS}`]: [trait],
});

/**
 * A notice that explains the mapper's fields. Each explanation needs a separate notice, because n8n removes line breaks
 * from notices.
 */
function notice(show: IDisplayOptions['show'], displayName: string): Declared {
	const displayOptions = { ...TEMPLATE_CHOSEN, show };
	return shownOnly({ displayName, type: 'notice', default: '', displayOptions });
}

/** The options of Create, by the names that workflows save. */
export const OPTIONS = {
	allowMissing: toggle({
		displayName: 'Allow Missing Answers',
		description: 'Whether required questions can stay empty',
	}),
	// On as soon as it's added: an option that is off would send the rows that people want to check first.
	checkOnly: addedToggle({
		displayName: 'Check Only',
		description: 'Whether to only check the rows and send nothing',
	}),
	dateFormat: text({
		displayName: 'Date Format',
		placeholder: 'e.g. dd.MM.yyyy',
		description:
			'Format of dates that are text: dd for the day, MM for the month, yyyy for the year',
	}),
	decimalSeparator: optionalChoice({
		displayName: 'Decimal Separator',
		options: [
			{ name: 'Comma (1.234,5)', value: 'comma' },
			{ name: 'Point (1,234.5)', value: 'point' },
		],
		default: 'comma',
		description: 'How decimals are written in numbers that are text',
	}),
	fillDown: text({
		displayName: 'Fill Empty Cells From Above',
		requiresDataPath: 'multiple',
		placeholder: 'e.g. Inspection No, Site',
		description: 'Columns whose empty cells get the value of the row above, for merged cells',
	}),
	groupRowsBy: text({
		displayName: 'Group Rows By',
		requiresDataPath: 'multiple',
		placeholder: 'e.g. Inspection No',
		description:
			'Column, or columns separated by commas, that identify an inspection: rows with the same values become one inspection',
	}),
	uniqueKeyDays: UNIQUE_KEY_DAYS,
	noIs: texts({
		displayName: 'Words for No',
		placeholder: 'e.g. nein, FALSCH, false',
		description: 'Comma-separated words that mean no in your sheet',
	}),
	yesIs: texts({
		displayName: 'Words for Yes',
		placeholder: 'e.g. x, ja, WAHR, true',
		description: 'Comma-separated words that mean yes in your sheet',
	}),
};

export const CREATE_FIELDS = {
	templateId: TEMPLATE,
	name: NAME,
	uniqueKey: UNIQUE_KEY,
	responses: ANSWERS,
	choiceForModelNotice: notice(
		{ '@tool': [true], ...BY_HAND },
		`Questions with choices don't have a button that lets the model fill them. Switch the field to 'Expression' and write {{ $fromAI("name of the question", "its choices") }}.`,
	),
	severalChoicesNotice: notice(
		formsWith('severalChoices'),
		"To select several choices, switch the field to 'Expression' and separate the choices with commas",
	),
	sectionsNotice: notice(
		formsWith('sections'),
		`A question with › in its name fills one instance of a repeatable section. For more instances, use one row per instance and the option 'Group Rows By', or add the field that ends with "(list of instances)".`,
	),
	longTemplateNotice: notice(
		formsWith('manyQuestions'),
		`Long templates show 50 questions. The list 'Add question to send' has the rest. If you don't see this list, choose the template again. 'Map Automatically' always uses all questions.`,
	),
	additionalFields: shownOnly({
		displayName: 'Additional Fields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: propertiesOf(ADDITIONAL_FIELDS),
	}),
	createTask: toggle({
		displayName: 'Create Task',
		description: 'Whether to create a task that is linked to the inspection',
	}),
	task: shownOnly({
		displayName: 'Task',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: propertiesOf(TASK),
		// Always shown, because n8n (2.41) drops the values of hidden fields, for example while Create Task is edited.
		description: "Fields of the task, used only if 'Create Task' is on",
	}),
	output: CREATE_OUTPUT,
	options: optionsCollection(OPTIONS),
};

export const createDescription: OperationDescription = {
	resource: 'inspection',
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create an inspection',
		description: 'Create an inspection from a template, with answers and a task',
	},
	fields: propertiesOf(CREATE_FIELDS),
};
