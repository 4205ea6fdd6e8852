import { parseGuid } from './guid.mts';
import type {
	Answer,
	Control,
	FileContent,
	FileKind,
	FileRecord,
	Inspection,
	Template,
} from './model.mts';
import type { ControlSpec } from './templateSpec.mts';
import type { Moment } from './timestamp.mts';

/** A record as tests and the demo write it: some members are needed, all others have a default. */
type Spec<Row, Needed extends keyof Row> = Pick<Row, Needed> & Partial<Row>;

/** Default team: the first one of the first organization (north). The identifier is made up when left out. */
export type TemplateSpec = Spec<
	Omit<Template, 'organizationId' | 'controls' | `created${string}` | `updated${string}`>,
	'name'
> & { controls?: readonly ControlSpec[] };

export interface AnswerSpec {
	/** Control id, field id, path or label (first match in template order). */
	control: string;
	value: unknown;
	order?: number;
	flagged?: boolean;
}

export interface FileSpec {
	kind: FileKind | (string & {});
	name?: string;
	contentType?: string;
	id?: string;
	/** Default: a small valid file of its kind. `{form: 'pattern', length}` streams that many bytes. */
	content?: FileContent;
}

/** Creator and editor default to the first user of the organization. */
export type InspectionPatch = Partial<
	Omit<Inspection, 'id' | 'templateId' | 'updatedAt' | 'createdAt' | 'answers' | 'files'>
> & { createdAt?: Moment; answers?: readonly AnswerSpec[]; files?: readonly FileSpec[] };

export type InspectionSpec = InspectionPatch & {
	/** Template id or identifier. */
	template: string;
	id?: string;
};

/** When a write happened, and when others can see it. Both default to now, with a stamp of its own. */
export interface WriteTiming {
	/** The write's timestamp (updated_at; created_at too where it creates). */
	at?: Moment;
	/** The moment from which reads see the write: later than `at` makes a late commit. */
	visibleAt?: Moment;
	/** The same, in milliseconds from now. */
	visibleInMs?: number;
}

const CONTENT_TYPES: Record<string, [type: string, extension: string]> = {
	image: ['image/png', 'png'],
	video: ['video/mp4', 'mp4'],
	audio: ['audio/wav', 'wav'],
	attachment: ['application/pdf', 'pdf'],
	signature: ['image/png', 'png'],
	instacount: ['image/png', 'png'],
};

/** What a test cannot have meant: @throws where the thing is not there. */
export function need<T>(value: T | undefined, what: string): T {
	if (value === undefined) throw new TypeError(`The sandbox has no ${what}`);
	return value;
}

function findControl({ controls, identifier }: Template, reference: string): Control {
	const id = parseGuid(reference);
	const pathOf = ({ parents, label }: Control) => [...parents, label].join('/');
	const found =
		controls.find((control) => control.id === id || control.id === reference) ??
		controls.find((control) => control.fieldId === reference) ??
		controls.find((control) => pathOf(control) === reference) ??
		controls.find((control) => control.label === reference);
	if (found !== undefined) return found;
	throw new TypeError(`Template ${identifier} has no control "${reference}"`);
}

export const answersOf = (template: Template, specs: readonly AnswerSpec[]): Answer[] =>
	specs.map(({ control, value, order = 1, flagged = false }) => ({
		controlId: findControl(template, control).id,
		order,
		value,
		flagged,
	}));

export function fileOf(spec: FileSpec, newId: (kind: string) => string): FileRecord {
	const id = spec.id ?? newId('file');
	const [contentType, extension] = CONTENT_TYPES[spec.kind] ?? ['application/octet-stream', 'bin'];
	return {
		id,
		name: `${spec.kind}-${id.slice(0, 8)}.${extension}`,
		contentType,
		content: { form: 'sample', seed: id },
		...spec,
	};
}
