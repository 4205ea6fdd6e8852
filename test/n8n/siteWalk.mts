import { number, page, radio, repeatable, required, text } from '#harness/controls.mts';
import type { ControlSpec } from '#sandbox/service/specs.mts';

const choices = (label: string, fieldId: string, type: string, ...among: string[]) => ({
	...radio(label, fieldId, ...among),
	type,
});

/** The controls of a template with a question of each type. */
export const SITE_WALK: readonly ControlSpec[] = [
	page('Site', [
		required(text('Area', 'area')),
		number('Visitors', 'visitors'),
		radio('Weather', 'weather', 'Not wet', 'Wet'),
		choices('Hazards', 'hazards', 'checkbox', 'Fall', 'Noise, loud', 'Dust'),
		choices('Crew', 'crew', 'dropdown', 'North', 'South'),
		{ type: 'date', label: 'When', show_time: true, fieldId: 'when' },
		{ type: 'checkIn/location', label: 'Place', fieldId: 'place' },
		repeatable('Defects', 'defects', [text('Kind', 'kind'), number('Costs', 'costs')]),
		{ type: 'signature', label: 'Signed', fieldId: 'signed' },
	]),
];
