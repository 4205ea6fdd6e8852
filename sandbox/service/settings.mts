import { Ajv } from 'ajv';

import { UsageError } from '../commandLine.mts';

// A setting is a JSON schema with a default. With `oneOf`, the first value is the default.
const oneOf = <const Value,>(...values: [Value, ...Value[]]) => ({
	type: typeof values[0],
	enum: values,
	default: values[0],
});
const yesNo = (value: boolean) => ({ type: 'boolean', default: value });
const number = (value: number) => ({ type: 'number', minimum: 0, default: value });
const optionalCount: { type: string[]; minimum: number; default: number | null } = {
	type: ['null', 'integer'],
	minimum: 1,
	default: null,
};

/**
 * How a service can differ, as far as tests of the connector need it. sandbox/README.md explains each setting.
 * Changes take effect with the next request.
 */
export const SETTINGS = {
	// Lists.
	envelope: oneOf('data', 'array', 'data.items'),
	totals: oneOf('right', 'lying', 'absent'),
	pageCap: optionalCount,
	resultWindow: optionalCount,
	offsetLimit: optionalCount,
	afterLastPage: oneOf('empty', 'repeated', 'null', '204', '404', '400'),
	dataFilter: oneOf('brackets', 'json'),
	filterPrecision: oneOf('full', 'ms', 's'),

	// Templates and answers.
	timestampPrecision: oneOf('ms', 'us', '100ns'),
	pathIncludesLabel: yesNo(true),

	// Create.
	createAnswerData: yesNo(true),
	commitDelayMs: number(0),
	customFields: oneOf('stored', 'dropped'),
	details: oneOf('stored', 'dropped'),
	storedTexts: oneOf('asSent', 'trimmed'),
	storedLineBreaks: oneOf('asSent', 'lf'),
	storedNumbers: oneOf('asSent', 'text', 'float32'),
	storedDates: oneOf('asSent', 'ms', 's', 'utc'),
	storedChoices: oneOf('asSent', 'array', 'reordered', 'joined'),

	// Inspections.
	plainItemOrder: oneOf('one', 'absent'),
	fileShape: oneOf('full', 'idOnly'),
	templateShape: oneOf('full', 'idName', 'idOnly', 'idString'),
	teamShape: oneOf('full', 'idName', 'idOnly', 'idString'),

	// Responses.
	dateHeader: yesNo(true),

	// Files.
	contentDisposition: oneOf('both', 'plain', 'extended', 'absent'),
	contentLength: yesNo(true),
};

/** A value of every setting. */
export type SandboxSettings = {
	-readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['default'];
};

/** Shape of a template or team inside an inspection. */
export type NestedShape = SandboxSettings['templateShape'];

/** The values of a setting if they can be listed, else only its default. */
export const valuesOf = (setting: { default: unknown; enum?: readonly unknown[] }) =>
	setting.enum ?? [setting.default];

/** The assumptions that the connector makes, as a fresh object. */
export function defaultSettings(): SandboxSettings {
	const members = Object.entries(SETTINGS).map(([name, setting]) => ({ [name]: setting.default }));
	return Object.assign({}, ...members);
}

const ajv = new Ajv({ coerceTypes: true, allowUnionTypes: true });
const isValid = ajv.compile<Partial<SandboxSettings>>({
	type: 'object',
	additionalProperties: false,
	properties: SETTINGS,
});

/**
 * Validates changed settings that came as text: "25" counts as 25.
 *
 * @throws UsageError with the setting and its accepted values
 */
export function checkedSettings(changes: unknown): Partial<SandboxSettings> {
	if (isValid(changes)) return changes;
	const { instancePath = '', message = 'is not valid', params = {} } = isValid.errors?.[0] ?? {};
	const { additionalProperty, allowedValues } = params;
	if (additionalProperty !== undefined) {
		throw new UsageError(`setting ${String(additionalProperty)} doesn't exist`);
	}
	const allowed = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
	throw new UsageError(`setting ${instancePath.slice(1)}: the value ${message}${allowed}`);
}
