import { page, repeatable, text } from '#harness/controls.mts';
import type { TemplateSpec } from '#sandbox/service/specs.mts';

/** A template with a question of each type. */
export const SITE_WALK: TemplateSpec = {
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		page('Site', [
			{ ...text('Area', 'area'), is_required: true },
			{ type: 'number', label: 'Visitors', fieldId: 'visitors' },
			{ type: 'radio', label: 'Weather', choices: ['Dry', 'Wet'], fieldId: 'weather' },
			{
				type: 'checkbox',
				label: 'Hazards',
				choices: ['Fall', 'Noise, loud', 'Dust'],
				fieldId: 'hazards',
			},
			{ type: 'dropdown', label: 'Crew', choices: ['North', 'South'], fieldId: 'crew' },
			{ type: 'date', label: 'When', show_time: true, fieldId: 'when' },
			{ type: 'checkIn/location', label: 'Place', fieldId: 'place' },
			repeatable('Defects', 'defects', [
				text('Kind', 'kind'),
				{ type: 'number', label: 'Costs', fieldId: 'costs' },
			]),
			{ type: 'signature', label: 'Signed', fieldId: 'signed' },
		]),
	],
};
