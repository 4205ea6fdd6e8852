/** A template with every type of control, and functions that return the request for a row. */
import type { CreateRequestOptions } from '#connector/domain/create/createRequest.ts';
import type { Row } from '#connector/domain/create/sheetRow.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { formWith } from '#harness/forms.mts';
import {
	control,
	type ControlSpec,
	page,
	repeatable,
	section,
	text,
} from '#harness/generatedTemplate.mts';
import { type NotedRequest, problemOf, requestOf, rowOf } from '#harness/madeOfRows.mts';

/**
 * Field IDs: f1 page · f2 Site · f3 Visitors · f4 Name · f5 Weather · f6 Hazards · f7 Crew · f8 When · f9 Place · f10
 * Damage (repeatable) · f11 Type · f12 Where (plain) · f13 Floor · f14 Costs · f15 Photos (repeatable) · f16 Caption
 */
const everything = (is_required: boolean): ControlSpec[] => [
	page(
		'Page',
		text('Site', { is_required }),
		control('number', 'Visitors'),
		text('Name'),
		control('radio', 'Weather', { choices: ['Dry', 'Wet'] }),
		control('checkbox', 'Hazards', { choices: ['Fall', 'Noise, loud', 'Dust'] }),
		control('dropdown', 'Crew', { choices: ['North', 'South'] }),
		control('date', 'When', { show_time: true }),
		control('checkIn/location', 'Place'),
		repeatable(
			'Damage',
			control('radio', 'Type', { choices: ['Crack', 'Dent'], is_required }),
			section('Where', text('Floor')),
			control('number', 'Costs'),
			repeatable('Photos', text('Caption')),
		),
	),
];
export const FREE = everything(false);
/** The template in which the questions Site and Type are required. */
export const STRICT = { specs: everything(true) };
export const REQUIRED: JsonRecord = { f2: 'Gate 4', 'Type:1': 'Crack' };

export interface Options
	extends Partial<CreateRequestOptions>,
		Partial<Pick<Row, 'additionalFields' | 'task'>> {
	specs?: ControlSpec[];
	by?: 'columns' | 'autoMap';
}

export function request(values: JsonRecord, options: Options = {}): NotedRequest {
	const { specs = FREE, by = 'autoMap', additionalFields = {}, task, ...making } = options;
	const row = rowOf(values, { by, additionalFields, task });
	return requestOf(formWith(...specs), [row], { timeZone: 'UTC', ...making });
}

/** Returns the answers that Create would send for a row, with `field_id` or `field_id:order` as the key. */
export function answers(values: JsonRecord, options: Options = {}): JsonRecord {
	const entries = request(values, options).sent.map(({ question, order, value }) => [
		question.section === null ? question.fieldId : `${question.fieldId}:${String(order)}`,
		value,
	]);
	return Object.fromEntries(entries) as JsonRecord;
}

export const unmatched = (values: JsonRecord, options: Options = {}) =>
	request(values, options).unmatched;

/** Returns the error of a row that can't be sent: the message, then one line per problem. */
export const problem = (values: JsonRecord, options: Options = {}) =>
	problemOf(() => request(values, options));
