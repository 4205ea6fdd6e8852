import type { FilterPrecision, TimestampPrecision } from './timestamp.mts';

/** The variants of every setting that has a fixed set of them. */
export const VARIANTS = {
	envelope: [
		'array',
		'data',
		'items',
		'inspections',
		'results',
		'data.items',
		'data.inspections',
		'data.results',
	],
	totals: ['right', 'lying', 'absent'],
	timestampPrecision: ['ms', 'us', '100ns'],
	filterPrecision: ['full', 'ms', 's'],
	dataFilter: ['brackets', 'json'],
	controlFilter: ['inspections', 'items'],
	teamFilter: ['error', 'empty'],
	tieOrder: ['stable', 'perRequest'],
	errorBody: [
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
	createStatus: [200, 201],
	invalidStatus: ['new', '400'],
	unpopulatedData: ['emptyItems', 'null', 'absent'],
	storedAnswers: ['asSent', 'normalised'],
	plainItemOrder: ['one', 'absent'],
	contentDisposition: ['both', 'plain', 'extended', 'absent'],
	fileShape: ['full', 'idOnly'],
	timezoneForm: ['iana', 'windows'],
	templateShape: ['full', 'idName', 'idOnly', 'idString'],
	teamShape: ['full', 'idName', 'idOnly', 'idString'],
} as const;

type Variant<Name extends keyof typeof VARIANTS> = (typeof VARIANTS)[Name][number];

export type ListEnvelope = Variant<'envelope'>;
export type ErrorBody = Variant<'errorBody'>;
/** Shape of a template or team inside an inspection. */
export type NestedShape = Variant<'templateShape'>;

/**
 * What the interface does not show, one member each. All of them may be changed while the sandbox runs: the next
 * request sees the change.
 */
export interface SandboxSettings {
	/** Lists: the array itself, or the member that holds it. */
	envelope: ListEnvelope;
	/** Lists: totals beside the array; `lying` ones must not be believed. */
	totals: Variant<'totals'>;
	/** Controls: name of the object that carries is_required, choices and so on. */
	optionsName: string;
	/** Controls: name of the option "several choices allowed" of a dropdown, null to leave it out. */
	multipleOption: string | null;
	/** Controls and answers: whether `path` ends with the label, or with a slash and without it. */
	pathIncludesLabel: boolean;
	/** Fractional digits of timestamps in answers, and the step between two writes. */
	timestampPrecision: TimestampPrecision;
	/** Date filters: a given moment is cut to this before it is compared. */
	filterPrecision: FilterPrecision;
	/** Lists: wire encoding of data_filter. The other one is not understood. */
	dataFilter: Variant<'dataFilter'>;
	/** Lists: whether template_control_ids keeps inspections that answer one of them, or their items only. */
	controlFilter: Variant<'controlFilter'>;
	/** Lists: a team_id that is unknown (404) or another organization's (401), or simply an empty list. */
	teamFilter: Variant<'teamFilter'>;
	/** Lists: order among equal sort values; `perRequest` changes it with every request. */
	tieOrder: Variant<'tieOrder'>;
	/** Error bodies of list, create and file URL (the template's is shown: code and message). */
	errorBody: ErrorBody;
	/** Create: path below the base address. */
	createPath: string;
	/** Create: status of success. */
	createStatus: Variant<'createStatus'>;
	/** Create: older rule, team_id must be given. */
	teamIdRequired: boolean;
	/** Create: what a status that is none of the four does. */
	invalidStatus: Variant<'invalidStatus'>;
	/** Create: whether the answer carries `data` at all. */
	createAnswerData: boolean;
	/** `data` of an inspection without answers. */
	unpopulatedData: Variant<'unpopulatedData'>;
	/** Answers: kept as sent, or numbers as text, dates as UTC and one dropdown choice as an array. */
	storedAnswers: Variant<'storedAnswers'>;
	/** Answers outside of repeatable sections: repeat_section_order 1, or none. */
	plainItemOrder: Variant<'plainItemOrder'>;
	/** Milliseconds until an inspection made through the API can be seen by a list (late commit). */
	commitDelayMs: number;
	/** When set, every task creation fails with this reason. */
	taskFailure: string | null;
	/** File URL: validity in seconds. */
	fileUrlSeconds: number;
	/** Downloads: form of the Content-Disposition header. */
	contentDisposition: Variant<'contentDisposition'>;
	/** Downloads: whether Content-Length is sent. */
	contentLength: boolean;
	/** Inspections: `files_count` beside `files`. */
	filesCount: boolean;
	/** Inspections: file objects whole, or their id only. */
	fileShape: Variant<'fileShape'>;
	/** Inspections: `timezone` as an IANA name or as `Eastern Standard Time|GMT-04:00`. */
	timezoneForm: Variant<'timezoneForm'>;
	/** Inspections: shape of `template`. */
	templateShape: NestedShape;
	/** Inspections: shape of `team`. */
	teamShape: NestedShape;
}

/** The assumptions of the contract (design, "What the interface does not show"), as a fresh object. */
export function defaultSettings(): SandboxSettings {
	return {
		envelope: 'data',
		totals: 'right',
		optionsName: 'options',
		multipleOption: null,
		pathIncludesLabel: true,
		timestampPrecision: 'ms',
		filterPrecision: 'full',
		dataFilter: 'brackets',
		controlFilter: 'inspections',
		teamFilter: 'error',
		tieOrder: 'stable',
		errorBody: 'codeMessage',
		createPath: '/v1/inspections',
		createStatus: 200,
		teamIdRequired: false,
		invalidStatus: 'new',
		createAnswerData: true,
		unpopulatedData: 'emptyItems',
		storedAnswers: 'asSent',
		plainItemOrder: 'one',
		commitDelayMs: 0,
		taskFailure: null,
		fileUrlSeconds: 300,
		contentDisposition: 'both',
		contentLength: true,
		filesCount: false,
		fileShape: 'full',
		timezoneForm: 'iana',
		templateShape: 'full',
		teamShape: 'full',
	};
}

/** JSON schema of a set of changes to the settings. */
export const settingsSchema = {
	type: 'object',
	additionalProperties: false,
	properties: {
		...Object.fromEntries(
			Object.entries(VARIANTS).map(([name, values]) => [
				name,
				{ type: typeof values[0] === 'number' ? 'integer' : 'string', enum: values },
			]),
		),
		optionsName: { type: 'string', minLength: 1 },
		multipleOption: { type: ['string', 'null'] },
		pathIncludesLabel: { type: 'boolean' },
		createPath: { type: 'string', pattern: '^/' },
		teamIdRequired: { type: 'boolean' },
		createAnswerData: { type: 'boolean' },
		commitDelayMs: { type: 'number', minimum: 0 },
		taskFailure: { type: ['string', 'null'] },
		fileUrlSeconds: { type: 'number' },
		contentLength: { type: 'boolean' },
		filesCount: { type: 'boolean' },
	} satisfies Partial<Record<keyof SandboxSettings, object>>,
};
