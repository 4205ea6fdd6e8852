import { Ajv } from 'ajv';

import { UsageError } from '../commandLine.mts';

// Each setting is a JSON schema with a default. With `oneOf`, the first value is the default.
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

/** How an inspection can show its template or its team. */
const NESTED = ['full', 'idName', 'idOnly', 'idString'] as const;

/**
 * The differences between services that matter to the connector. sandbox/README.md explains each setting. A changed
 * setting takes effect with the next request.
 */
export const SETTINGS = {
	// How the list responds.
	envelope: oneOf('data', 'array', 'data.items'),
	totals: oneOf('right', 'lying', 'absent'),
	pageCap: optionalCount,
	resultWindow: optionalCount,
	offsetLimit: optionalCount,
	afterLastPage: oneOf('empty', 'repeated', 'null', '204', '404', '400'),
	dataFilter: oneOf('brackets', 'json'),
	filterPrecision: oneOf('full', 'ms', 's'),

	// How timestamps and the paths of controls are returned.
	timestampPrecision: oneOf('ms', 'us', '100ns'),
	shownPrecision: oneOf('as stored', 'ms', 's'),
	pathIncludesLabel: yesNo(true),

	// How inspections are created and stored.
	createEnvelope: oneOf('none', 'data', 'array', 'data.items'),
	commitDelayMs: number(0),
	customFields: oneOf('stored', 'dropped'),
	details: oneOf('stored', 'dropped'),
	storedTexts: oneOf('asSent', 'trimmed'),
	storedLineBreaks: oneOf('asSent', 'lf'),
	storedNumbers: oneOf('asSent', 'text', 'float32'),
	storedDates: oneOf('asSent', 'ms', 's', 'utc'),
	storedChoices: oneOf('asSent', 'array', 'reordered', 'joined'),

	// How inspections are returned.
	plainItemOrder: oneOf('one', 'absent'),
	itemOrder: oneOf('number', 'text', 'absent'),
	itemNames: oneOf('both', 'path', 'label', 'none'),
	fileShape: oneOf('full', 'idOnly'),
	templateShape: oneOf(...NESTED, 'identifierName', 'identifier', 'name'),
	teamShape: oneOf(...NESTED),

	// The headers of responses.
	dateHeader: yesNo(true),

	// How files are downloaded.
	contentDisposition: oneOf('both', 'plain', 'extended', 'absent'),
	contentLength: yesNo(true),
};

/** The values of all settings. */
export type SandboxSettings = {
	-readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['default'];
};

/** How an inspection shows its template or its team. */
export type NestedShape = (typeof NESTED)[number];

/** Returns a setting's possible values if they are listed, else only its default. */
export const valuesOf = (setting: { default: unknown; enum?: readonly unknown[] }) =>
	setting.enum ?? [setting.default];

/** Returns a new object with every setting's default, which is what the connector assumes about a service. */
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
 * Validates changes of settings. Values can be text, such as "25" for 25.
 *
 * @throws UsageError that names the setting and the accepted values
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
