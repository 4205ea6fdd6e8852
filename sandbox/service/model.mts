import type { Ticks } from './time.mts';

/** Statuses of an inspection (Status of the document). */
export const STATUSES = ['new', 'in_progress', 'completed', 'canceled'] as const;
export type Status = (typeof STATUSES)[number];

/** File kinds that can be downloaded (File of the document). */
export const FILE_KINDS = ['image', 'video', 'audio', 'attachment', 'signature', 'instacount'];

/** The operations of docs/service.openapi.yaml. */
export type ApiOperation = 'getTemplate' | 'createInspection' | 'listInspections' | 'getFileUrl';
/** The four operations of the API and the download from a signed URL. */
export type Operation = ApiOperation | 'downloadFile';

export interface Organization {
	id: string;
	name: string;
	/** Whether the public API feature is enabled. */
	publicApi: boolean;
	/** IANA name of the default zone, which applies to due dates without a zone. */
	timeZone: string;
}

/** Belongs to an organization. */
interface Owned {
	readonly id: string;
	readonly organizationId: string;
	readonly name: string;
}

export type Team = Owned;

export interface User extends Owned {
	email: string;
	/** Teams whose templates the user can use. Null: all teams of the organization. */
	teamIds: string[] | null;
	deleted: boolean;
}

export interface ApiKey {
	/** The organization doesn't have to exist: "key not tied to a valid organization". */
	organizationId: string;
	ownerId: string;
	/** Permissions of the document's operations (x-permission). */
	permissions: string[];
	expiresAt: Ticks | null;
	/** Teams that the key can use as team_id. Null: all teams of the organization. */
	teamIds: string[] | null;
}

/** ControlOptions of the document. */
export interface ControlOptions {
	is_required?: boolean;
	show_time?: boolean;
	is_multiline?: boolean;
	placeholder?: string;
	choices?: readonly string[];
	is_repeatable?: boolean;
}

export interface Control {
	id: string;
	fieldId: string;
	type: string;
	label: string;
	/** Labels from the top page to the control's parent. */
	parents: string[];
	parentId: string | null;
	childIds: string[];
	options: ControlOptions;
	/** Dropdown: several choices allowed. */
	multiple: boolean;
	/** The nearest repeatable section around the control. */
	repeatableId: string | null;
}

/** Who created and last changed a record, and when. */
export interface History {
	readonly createdAt: Ticks;
	readonly createdById: string;
	readonly updatedAt: Ticks;
	readonly updatedById: string;
}

export interface Template extends Owned, History {
	teamId: string;
	/** The template identifier string, at most 20 characters. */
	identifier: string;
	description: string;
	published: boolean;
	disabled: boolean;
	deleted: boolean;
	controls: Control[];
}

export interface Answer {
	controlId: string;
	/** Instance of the repeatable section, from 1. */
	order: number;
	value: unknown;
	flagged: boolean;
}

/** The bytes of a file: derived from its kind and a seed, a run of N bytes, or given. */
export type FileContent =
	| { form: 'sample'; seed: string }
	| { form: 'pattern'; length: number }
	| { form: 'bytes'; base64: string };

export interface FileRecord {
	id: string;
	name: string;
	/** One of FILE_KINDS, or a kind that cannot be downloaded (400). */
	kind: string;
	contentType: string;
	content: FileContent;
}

export interface CustomField {
	name: string;
	value: string;
}

/** One version of an inspection. Never changed in place: an update replaces it by a new version. */
export interface Inspection extends Owned, History {
	readonly teamId: string;
	readonly templateId: string;
	readonly status: Status;
	readonly description: string;
	/** IANA name. */
	readonly timeZone: string;
	readonly customFields: readonly CustomField[];
	readonly locations: readonly unknown[];
	readonly sharedWithIds: readonly string[];
	readonly answers: readonly Answer[];
	readonly files: readonly FileRecord[];
}

/** Priorities of a task (Task of the document). */
export const PRIORITIES = ['high', 'medium', 'low'] as const;

export interface Task {
	id: string;
	organizationId: string;
	inspectionId: string;
	title: string;
	instructions: string;
	priority: (typeof PRIORITIES)[number];
	/** ISO 8601 UTC, null without a due date. */
	dueAt: string | null;
	assigneeIds: string[];
}
