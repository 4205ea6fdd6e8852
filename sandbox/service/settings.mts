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
const oneOf = <const Value,>(values: readonly [Value, ...Value[]], what: string) => ({
	initial: values[0],
	values,
	schema: { type: typeof values[0], enum: values },
	what,
});

/** Any value of the type; `Value` says which where the default does not. */
const any = <Value,>(initial: Value, what: string, schema: object): Setting<Value> => ({
	initial,
	schema,
	what,
});

const yesNo = (initial: boolean, what: string) => any(initial, what, { type: 'boolean' });
const number = (initial: number, what: string) =>
	any(initial, what, { type: 'number', minimum: 0 });
const text = (initial: string, what: string) =>
	any(initial, what, { type: 'string', minLength: 1 });
const optionalText = (what: string) => any<string | null>(null, what, { type: ['null', 'string'] });
const optionalCount = (what: string) =>
	any<number | null>(null, what, { type: ['null', 'integer'], minimum: 1 });

const IN_DATA = ['data.items', 'data.inspections', 'data.results'] as const;
const NESTED_SHAPES = ['full', 'idName', 'idOnly', 'idString'] as const;

/**
 * Every setting of the sandbox. All may be changed while it runs: the next request sees the change. The command
 * prints this table with `--help`.
 */
export const SETTINGS = {
	// Lists.
	envelope: oneOf(
		['data', 'array', 'items', 'inspections', 'results', ...IN_DATA],
		'A list is the array itself, or the member that holds it.',
	),
	totals: oneOf(['right', 'lying', 'absent'], 'Totals beside a list; lying ones mislead.'),
	pageCap: optionalCount('No page holds more than this, whatever page_size asks for.'),
	dataFilter: oneOf(['brackets', 'json'], 'Wire encoding of data_filter; no other is understood.'),
	controlFilter: oneOf(
		['inspections', 'items'],
		'template_control_ids keeps inspections that answer one of them, or only their items.',
	),
	teamFilter: oneOf(
		['error', 'empty'],
		'A list by an unknown team_id is a 404 and by a foreign one a 401, or it is empty.',
	),
	tieOrder: oneOf(
		['stable', 'perRequest'],
		'Order of equal sort values, or a new one each request.',
	),
	filterPrecision: oneOf(['full', 'ms', 's'], 'A date filter is cut to this before it compares.'),

	// Templates and answers.
	timestampPrecision: oneOf(
		['ms', 'us', '100ns'],
		'Fractional digits of timestamps in responses, and the step between two writes.',
	),
	optionsName: text('options', "Name of a control's object with is_required, choices and so on."),
	multipleOption: optionalText(
		'Name of the option "several choices" of a dropdown, if it has one.',
	),
	pathIncludesLabel: yesNo(
		true,
		"A control's path ends with its label, or with a slash before it.",
	),

	// Errors; those of the template are documented: code and message.
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
		'Error bodies of list, create and file URL.',
	),

	// Create.
	createPath: text('/v1/inspections', 'Path of create below the base address.'),
	createStatus: oneOf([200, 201], 'Status of a successful create.'),
	teamIdRequired: yesNo(false, 'An older rule: create wants team_id.'),
	invalidStatus: oneOf(['new', '400'], 'What a status that is none of the four does at create.'),
	createAnswerData: yesNo(true, "Create's response carries data."),
	commitDelayMs: number(0, 'Late commit: time until a new inspection can be listed.'),
	taskFailure: optionalText('When set, every task creation fails with this reason.'),
	customFields: oneOf(['stored', 'dropped'], 'Custom fields are kept, or lost silently.'),
	storedTexts: oneOf(['asSent', 'trimmed'], 'Texts are kept, or without blanks at their ends.'),
	storedLineBreaks: oneOf(['asSent', 'lf'], 'Line breaks in texts are kept, or CRLF is LF.'),
	storedNumbers: oneOf(
		['asSent', 'text', 'float32'],
		'Number answers are kept, become text ("12.5"), or have 32 bits (0.1 is 0.10000000149).',
	),
	storedDates: oneOf(
		['asSent', 'ms', 's', 'utc'],
		'Date answers are kept, cut to the millisecond or second, or in UTC with seven digits.',
	),
	storedChoices: oneOf(
		['asSent', 'array', 'reordered', 'joined'],
		'One dropdown choice becomes an array; several come in reversed order, or as text ("A, B").',
	),

	// Inspections.
	unpopulatedData: oneOf(['emptyItems', 'null', 'absent'], 'data where there are no answers.'),
	plainItemOrder: oneOf(['one', 'absent'], 'repeat_section_order outside of repeatable sections.'),
	filesCount: yesNo(false, 'files_count beside files.'),
	fileShape: oneOf(['full', 'idOnly'], 'File objects whole, or their id only.'),
	timezoneForm: oneOf(['iana', 'windows'], 'IANA name, or "Eastern Standard Time|GMT-04:00".'),
	templateShape: oneOf(NESTED_SHAPES, 'Shape of template in an inspection.'),
	teamShape: oneOf(NESTED_SHAPES, 'Shape of team in an inspection.'),

	// Files.
	fileUrlSeconds: number(300, 'Seconds that a file URL is valid.'),
	contentDisposition: oneOf(['both', 'plain', 'extended', 'absent'], 'Form of the header.'),
	contentLength: yesNo(true, 'Downloads have Content-Length.'),
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
