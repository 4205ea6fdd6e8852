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

/** A record in tests and the demo: some members are required, all others have a default. */
type Spec<Row, Needed extends keyof Row> = Pick<Row, Needed> & Partial<Row>;

/** A control in tests and the demo data: nested, with its options. Only type and label are required. */
export interface ControlSpec extends ControlOptions {
	type: string;
	label: string;
	/** GUID. Default: derived from the template's ID and the control's position. */
	id?: string;
	fieldId?: string;
	/** Dropdown: allows several choices. */
	multiple?: boolean;
	children?: readonly ControlSpec[];
}

/** Default team: the first one of the first organization (north). The default identifier is generated. */
export type TemplateSpec = Spec<
	Omit<Template, 'organizationId' | 'controls' | `created${string}` | `updated${string}`>,
	'name'
> & { controls?: readonly ControlSpec[] };

export interface AnswerSpec {
	/** Control ID, field ID, path, or label (first match in template order). */
	control: string;
	value: unknown;
	order?: number;
	flagged?: boolean;
}

/** Default content: a small valid file of its kind. */
export type FileSpec = Spec<FileRecord, 'kind'>;

/** Creator and editor default to the first user of the organization. */
export type InspectionPatch = Partial<
	Omit<Inspection, 'id' | 'templateId' | 'updatedAt' | 'createdAt' | 'answers' | 'files'>
> & { createdAt?: Moment; answers?: readonly AnswerSpec[]; files?: readonly FileSpec[] };

export type InspectionSpec = InspectionPatch & {
	/** Template ID or identifier. */
	template: string;
	id?: string;
};

/** When a write happened, and when others can see it. Both default to now, with a unique timestamp. */
export interface WriteTiming {
	/** The write's timestamp: updated_at, and created_at for a new inspection. */
	at?: Moment;
	/** Milliseconds from now until reads see a new inspection, which simulates a late commit. */
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

/** @throws if the value is missing, which is a mistake of the calling test */
export function need<T>(value: T | undefined, what: string): T {
	if (value === undefined) throw new TypeError(`The sandbox has no ${what}`);
	return value;
}

/** The flat list of controls, parents before their children, in the order written. */
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
