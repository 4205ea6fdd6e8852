import { guidOf, parseGuid, scatter } from './guid.mts';
import type {
	Answer,
	Control,
	ControlOptions,
	FileRecord,
	Inspection,
	Template,
} from './model.mts';
import type { Moment } from './time.mts';

/** A record to add in a test or the demo. The members `Needed` are required, and all others have a default. */
type Spec<Row, Needed extends keyof Row> = Pick<Row, Needed> & Partial<Row>;

/**
 * A control to add, with its options as direct members and its child controls nested. Only type and label are required.
 */
export interface ControlSpec extends ControlOptions {
	type: string;
	label: string;
	/** The control's GUID. Default: derived from the template's ID and the control's position. */
	id?: string;
	fieldId?: string;
	/** Whether a dropdown allows several choices. */
	multiple?: boolean;
	children?: readonly ControlSpec[];
}

/** A template to add. Default team: the first team of organization north. Default identifier: generated from the ID. */
export type TemplateSpec = Spec<
	Omit<Template, 'organizationId' | 'controls' | `created${string}` | `updated${string}`>,
	'name'
> & { controls?: readonly ControlSpec[] };

export interface AnswerSpec {
	/**
	 * The control's ID, field ID, path, or label. If several controls have this label, the answer is for the first one.
	 */
	control: string;
	value: unknown;
	order?: number;
	flagged?: boolean;
}

/** A file to add. Default content: a small valid file of its kind. */
export type FileSpec = Spec<FileRecord, 'kind'>;

/**
 * The members to set when an inspection is added or changed. A new inspection's default creator is the organization's
 * first user, and its default editor is its creator.
 */
export type InspectionPatch = Partial<
	Omit<Inspection, 'id' | 'templateId' | 'updatedAt' | 'createdAt' | 'answers' | 'files'>
> & { createdAt?: Moment; answers?: readonly AnswerSpec[]; files?: readonly FileSpec[] };

export type InspectionSpec = InspectionPatch & {
	/** The template's ID or identifier. */
	template: string;
	id?: string;
};

/** When a write happens, and when read requests return its result. Default: now, for both. */
export interface WriteTiming {
	/**
	 * The timestamp of the write, which becomes updated_at and, for a new inspection, also created_at. Default: now, or
	 * slightly later if the previous timestamp is not earlier than now.
	 */
	at?: Moment;
	/** How many ms later read requests start to return a new inspection. This simulates a late commit. */
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

/** Returns the value. @throws if the value is missing, which means that the calling test is wrong */
export function need<T>(value: T | undefined, what: string): T {
	if (value === undefined) throw new TypeError(`The sandbox has no ${what}`);
	return value;
}

/** Returns the controls as a flat list in the order of `specs`, with parents before their children. */
export function controlsOf(templateId: string, specs: readonly ControlSpec[]): Control[] {
	const controls: Control[] = [];
	const add = (spec: ControlSpec, parent: Control | null, repeatableId: string | null): string => {
		const { id, fieldId, type, label, multiple = false, children = [], ...options } = spec;
		const name = `${templateId}/control/${String(controls.length + 1)}`;
		const control: Control = {
			id: id ?? guidOf(name),
			fieldId: fieldId ?? `f${scatter(name).toString(16).padStart(8, '0')}`,
			type,
			label,
			parents: parent === null ? [] : [...parent.parents, parent.label],
			parentId: parent?.id ?? null,
			childIds: [],
			options,
			multiple,
			repeatableId,
		};
		controls.push(control);
		const inner = options.is_repeatable === true ? control.id : repeatableId;
		control.childIds = children.map((child) => add(child, control, inner));
		return control.id;
	};
	for (const spec of specs) add(spec, null, null);
	return controls;
}

function findControl({ controls, identifier }: Template, reference: string): Control {
	const id = parseGuid(reference);
	const pathOf = ({ parents, label }: Control) => [...parents, label].join('/');
	const found =
		controls.find((control) => control.id === id || control.id === reference) ??
		controls.find((control) => control.fieldId === reference) ??
		controls.find((control) => pathOf(control) === reference) ??
		controls.find((control) => control.label === reference);
	return need(found, `control "${reference}" in template ${identifier}`);
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
