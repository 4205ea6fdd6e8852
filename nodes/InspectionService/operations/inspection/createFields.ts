import type { INodeProperties } from 'n8n-workflow';

import { templateLocator } from '../../fields/templateLocator';
import { additionalFields } from './createAdditionalFields';
import { answerFields } from './createAnswerFields';
import { optionFields } from './createOptionFields';
import { createOutputField } from './createOutput';
import { taskFields } from './createTaskFields';

/** The fields of Create; their names are saved in workflows. */
export function createFields(): INodeProperties[] {
	return [
		templateLocator(),
		...answerFields(),
		additionalFields(),
		...taskFields(),
		createOutputField(),
		optionFields(),
	];
}
