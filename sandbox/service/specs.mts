import { parseGuid } from './guid.mts';
import type {
	Answer,
	Control,
	CustomField,
	FileContent,
	FileKind,
	FileRecord,
	Permission,
	Status,
	Template,
} from './model.mts';
import type { ControlSpec } from './templateSpec.mts';
import type { Moment } from './timestamp.mts';

/** When a write happened, and when others can see it. Both default to now, with a stamp of its own. */
export interface WriteTiming {
	/** The write's timestamp (updated_at; created_at too where it creates). */
	at?: Moment;
	/** The moment from which reads see the write: later than `at` makes a late commit. */
	visibleAt?: Moment;
	/** The same, in milliseconds from now. */
	visibleInMs?: number;
}

export interface OrganizationSpec {
	name: string;
	publicApi?: boolean;
	timeZone?: string;
}

export interface UserSpec {
	organizationId: string;
	name: string;
	email: string;
	teamIds?: readonly string[] | null;
	deleted?: boolean;
}

export interface KeySpec {
	key: string;
	organizationId: string;
	ownerId: string;
	permissions?: readonly Permission[];
	expiresAt?: Moment | null;
	teamIds?: readonly string[] | null;
}

export interface TemplateSpec {
	name: string;
	/** Identifier string, at most 20 characters. Made up when left out. */
	identifier?: string;
	id?: string;
	/** Default: the first team of the first organization (north). */
	teamId?: string;
	description?: string;
	published?: boolean;
	disabled?: boolean;
	controls?: readonly ControlSpec[];
}

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

export interface InspectionSpec {
	/** Template id or identifier. */
	template: string;
	id?: string;
	name?: string;
	status?: Status;
	description?: string;
	/** User ids; default: the first user of the organization. */
	createdBy?: string;
	updatedBy?: string;
	createdAt?: Moment;
	timeZone?: string;
	customFields?: readonly CustomField[];
	locations?: readonly unknown[];
	sharedWith?: readonly string[];
	answers?: readonly AnswerSpec[];
	files?: readonly FileSpec[];
}

export type InspectionPatch = Partial<
	Omit<InspectionSpec, 'template' | 'id' | 'createdBy'> & { teamId: string }
>;

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

function findControl(template: Template, reference: string): Control {
	const id = parseGuid(reference);
	const isMatch = [
		(control: Control) => control.id === id,
		(control: Control) => control.fieldId === reference,
		(control: Control) => [...control.parents, control.label].join('/') === reference,
		(control: Control) => control.label === reference,
	];
	for (const matches of isMatch) {
		const found = template.controls.find(matches);
		if (found !== undefined) return found;
	}
	throw new TypeError(`Template ${template.identifier} has no control "${reference}"`);
}

export const answersOf = (template: Template, specs: readonly AnswerSpec[]): Answer[] =>
	specs.map((spec) => ({
		controlId: findControl(template, spec.control).id,
		order: spec.order ?? 1,
		value: spec.value,
		flagged: spec.flagged ?? false,
	}));

export function fileOf(spec: FileSpec, newId: (kind: string) => string): FileRecord {
	const id = spec.id ?? newId('file');
	const [type, extension] = CONTENT_TYPES[spec.kind] ?? ['application/octet-stream', 'bin'];
	return {
		id,
		name: spec.name ?? `${spec.kind}-${id.slice(0, 8)}.${extension}`,
		kind: spec.kind,
		contentType: spec.contentType ?? type,
		content: spec.content ?? { form: 'sample', seed: id },
	};
}
