import type { FilterPrecision, TimestampPrecision } from './timestamp.mts';

export type ListEnvelope =
	| 'array'
	| 'data'
	| 'items'
	| 'inspections'
	| 'results'
	| 'data.items'
	| 'data.inspections'
	| 'data.results';

export type ErrorBody =
	| 'codeMessage'
	| 'error.message'
	| 'errorText'
	| 'errorsArray'
	| 'errorsObject'
	| 'problem'
	| 'text'
	| 'html'
	| 'empty';

/** Shape of a template or team inside an inspection. */
export type NestedShape = 'full' | 'idName' | 'idOnly' | 'idString';

/**
 * What the interface does not show, one member each. All of them may be changed while the sandbox runs: the next
 * request sees the change.
 */
export interface SandboxSettings {
	/** Lists: the array itself, or the member that holds it. */
	envelope: ListEnvelope;
	/** Lists: totals beside the array; `lying` ones must not be believed. */
	totals: 'right' | 'lying' | 'absent';
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
	dataFilter: 'brackets' | 'json';
	/** Lists: whether template_control_ids keeps inspections that answer one of them, or their items only. */
	controlFilter: 'inspections' | 'items';
	/** Lists: a team_id that is unknown (404) or another organization's (401), or simply an empty list. */
	teamFilter: 'error' | 'empty';
	/** Lists: order among equal sort values; `perRequest` changes it with every request. */
	tieOrder: 'stable' | 'perRequest';
	/** Error bodies of list, create and file URL (the template's is shown: code and message). */
	errorBody: ErrorBody;
	/** Create: path below the base address. */
	createPath: string;
	/** Create: status of success. */
	createStatus: 200 | 201;
	/** Create: older rule, team_id must be given. */
	teamIdRequired: boolean;
	/** Create: what a status that is none of the four does. */
	invalidStatus: 'new' | '400';
	/** Create: whether the answer carries `data` at all. */
	createAnswerData: boolean;
	/** `data` of an inspection without answers. */
	unpopulatedData: 'emptyItems' | 'null' | 'absent';
	/** Answers: kept as sent, or numbers as text, dates as UTC and one dropdown choice as an array. */
	storedAnswers: 'asSent' | 'normalised';
	/** Answers outside of repeatable sections: repeat_section_order 1, or none. */
	plainItemOrder: 'one' | 'absent';
	/** Milliseconds until an inspection made through the API can be seen by a list (late commit). */
	commitDelayMs: number;
	/** When set, every task creation fails with this reason. */
	taskFailure: string | null;
	/** File URL: validity in seconds. */
	fileUrlSeconds: number;
	/** Downloads: form of the Content-Disposition header. */
	contentDisposition: 'both' | 'plain' | 'extended' | 'absent';
	/** Downloads: whether Content-Length is sent. */
	contentLength: boolean;
	/** Inspections: `files_count` beside `files`. */
	filesCount: boolean;
	/** Inspections: file objects whole, or their id only. */
	fileShape: 'full' | 'idOnly';
	/** Inspections: `timezone` as an IANA name or as `Eastern Standard Time|GMT-04:00`. */
	timezoneForm: 'iana' | 'windows';
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
