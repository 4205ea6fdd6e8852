/** A thing that the document marks x-assumed, or that a service may do differently: its values and what it is for. */
interface Setting<Value> {
	readonly initial: Value;
	/** All values where there are only so many. */
	readonly values?: readonly Value[];
	/** JSON schema of a value. */
	readonly schema: object;
	readonly what: string;
}

/** One of several values; the first is the default. */
function oneOf<const Value extends string | number>(
	values: readonly [Value, ...Value[]],
	what: string,
) {
	const type = typeof values[0] === 'number' ? 'integer' : 'string';
	return {
		initial: values[0],
		values,
		schema: { type, enum: values },
		what,
	} satisfies Setting<Value>;
}
const yesNo = (initial: boolean, what: string): Setting<boolean> => ({
	initial,
	schema: { type: 'boolean' },
	what,
});
const number = (initial: number, what: string, schema: object = {}): Setting<number> => ({
	initial,
	schema: { type: 'number', ...schema },
	what,
});
const text = (initial: string, what: string, schema: object = {}): Setting<string> => ({
	initial,
	schema: { type: 'string', ...schema },
	what,
});
const optionalText = (what: string): Setting<string | null> => ({
	initial: null,
	schema: { type: ['null', 'string'] },
	what,
});
const optionalCount = (what: string): Setting<number | null> => ({
	initial: null,
	schema: { type: ['null', 'integer'], minimum: 1 },
	what,
});

const NESTED_SHAPES = ['full', 'idName', 'idOnly', 'idString'] as const;

/**
 * Every setting of the sandbox. All may be changed while it runs: the next request sees the change. The command
 * prints this table with `--help`.
 */
export const SETTINGS = {
	envelope: oneOf(
		[
			'data',
			'array',
			'items',
			'inspections',
			'results',
			'data.items',
			'data.inspections',
			'data.results',
		],
		'Lists: the array itself, or the member that holds it.',
	),
	totals: oneOf(
		['right', 'lying', 'absent'],
		'Lists: totals beside the array; lying ones must not be believed.',
	),
	pageCap: optionalCount('Lists: no page holds more than this, whatever page_size asks for.'),
	dataFilter: oneOf(
		['brackets', 'json'],
		'Lists: wire encoding of data_filter. The other one is not understood.',
	),
	controlFilter: oneOf(
		['inspections', 'items'],
		'Lists: template_control_ids keeps inspections that answer one of them, or only their items.',
	),
	teamFilter: oneOf(
		['error', 'empty'],
		'Lists: an unknown team_id is a 404 and a foreign one a 401, or the list is simply empty.',
	),
	tieOrder: oneOf(
		['stable', 'perRequest'],
		'Lists: order among equal sort values; perRequest changes it with every request.',
	),
	filterPrecision: oneOf(
		['full', 'ms', 's'],
		'Lists: a date filter is cut to this before it is compared.',
	),
	timestampPrecision: oneOf(
		['ms', 'us', '100ns'],
		'Fractional digits of timestamps in responses, and the step between two writes.',
	),
	optionsName: text(
		'options',
		'Controls: name of the object that carries is_required, choices and so on.',
		{ minLength: 1 },
	),
	multipleOption: optionalText(
		'Controls: name of the option "several choices allowed" of a dropdown; null leaves it out.',
	),
	pathIncludesLabel: yesNo(
		true,
		'Controls and answers: path ends with the label, or with a slash and without it.',
	),
	errorBody: oneOf(
		[
			'codeMessage',
			'error.message',
			'errorText',
			'errorsArray',
			'errorsObject',
			'problem',
			'text',
			'html',
			'empty',
		],
		"Error bodies of list, create and file URL (the template's is documented: code and message).",
	),
	createPath: text('/v1/inspections', 'Create: path below the base address.', { pattern: '^/' }),
	createStatus: oneOf([200, 201], 'Create: status of success.'),
	teamIdRequired: yesNo(false, 'Create: older rule, team_id must be given.'),
	invalidStatus: oneOf(['new', '400'], 'Create: what a status that is none of the four does.'),
	createAnswerData: yesNo(true, 'Create: the response carries data.'),
	commitDelayMs: number(
		0,
		"Create: milliseconds of the service's clock until a new inspection can be listed (late commit).",
		{ minimum: 0 },
	),
	taskFailure: optionalText('Create: when set, every task creation fails with this reason.'),
	customFields: oneOf(['stored', 'dropped'], 'Create: custom fields are kept, or lost silently.'),
	storedTexts: oneOf(
		['asSent', 'trimmed'],
		'Create: texts (answers, name, description, custom fields) are kept, or without blanks at their ends.',
	),
	storedLineBreaks: oneOf(
		['asSent', 'lf'],
		'Create: line breaks in texts are kept, or CRLF is LF.',
	),
	storedNumbers: oneOf(
		['asSent', 'text', 'float32'],
		'Create: number answers are kept, become text ("12.5"), or are rounded to 32 bits (0.1 is 0.10000000149).',
	),
	storedDates: oneOf(
		['asSent', 'ms', 's', 'utc'],
		'Create: date answers are kept, cut to the millisecond or second, or in UTC with seven digits.',
	),
	storedChoices: oneOf(
		['asSent', 'array', 'reordered', 'joined'],
		'Create: one dropdown choice becomes an array; several come in the template\'s order reversed, or as one text ("A, B").',
	),
	unpopulatedData: oneOf(
		['emptyItems', 'null', 'absent'],
		'Inspections: data where there are no answers.',
	),
	plainItemOrder: oneOf(
		['one', 'absent'],
		'Inspections: repeat_section_order of answers outside of repeatable sections.',
	),
	filesCount: yesNo(false, 'Inspections: files_count beside files.'),
	fileShape: oneOf(['full', 'idOnly'], 'Inspections: file objects whole, or their id only.'),
	timezoneForm: oneOf(
		['iana', 'windows'],
		'Inspections: timezone as an IANA name, or as "Eastern Standard Time|GMT-04:00".',
	),
	templateShape: oneOf(NESTED_SHAPES, 'Inspections: shape of template.'),
	teamShape: oneOf(NESTED_SHAPES, 'Inspections: shape of team.'),
	fileUrlSeconds: number(300, 'File URL: validity in seconds.'),
	contentDisposition: oneOf(
		['both', 'plain', 'extended', 'absent'],
		'Downloads: form of the Content-Disposition header.',
	),
	contentLength: yesNo(true, 'Downloads: Content-Length is sent.'),
} satisfies Record<string, Setting<unknown>>;

type SettingName = keyof typeof SETTINGS;

/** A value of every setting. */
export type SandboxSettings = {
	-readonly [Name in SettingName]: (typeof SETTINGS)[Name]['initial'];
};

export type ListEnvelope = SandboxSettings['envelope'];
export type ErrorBody = SandboxSettings['errorBody'];
/** Shape of a template or team inside an inspection. */
export type NestedShape = SandboxSettings['templateShape'];

/** The assumptions that the connector starts from, as a fresh object. */
export function defaultSettings(): SandboxSettings {
	const members = Object.entries(SETTINGS).map(([name, { initial }]) => ({ [name]: initial }));
	return Object.assign({}, ...members);
}

/** JSON schema of a set of changes to the settings. */
export const settingsSchema = {
	type: 'object',
	additionalProperties: false,
	properties: Object.fromEntries(
		Object.entries(SETTINGS).map(([name, { schema }]) => [name, schema]),
	),
};
