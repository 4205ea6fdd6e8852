import type { ServiceClock } from './clock.mts';
import { guidOf, parseGuid } from './guid.mts';
import { InspectionIndex } from './inspectionIndex.mts';
import type { SortKey } from './inspectionIndex.mts';
import { PERMISSIONS } from './model.mts';
import type {
	Answer,
	ApiKey,
	Control,
	CustomField,
	FileContent,
	FileKind,
	FileRecord,
	Inspection,
	Organization,
	Permission,
	Status,
	Task,
	Team,
	Template,
	User,
} from './model.mts';
import type { SandboxSettings } from './settings.mts';
import { controlsOf } from './templateSpec.mts';
import type { ControlSpec } from './templateSpec.mts';
import { TICKS_PER_MS, ticksOf } from './timestamp.mts';
import type { Moment, Ticks } from './timestamp.mts';

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

/** Ready-made values, for writes whose answers were read already (create through the API). */
export interface InspectionDraft {
	template: Template;
	name: string;
	status: Status;
	description: string;
	creatorId: string;
	customFields: readonly CustomField[];
	locations: readonly unknown[];
	answers: readonly Answer[];
}

type Change = Partial<Inspection>;

interface PendingWrite {
	visibleAt: Ticks;
	id: string;
	change: Change;
	/** Set where the write creates the inspection. */
	created: Inspection | null;
}

/** Everything the store holds, as plain data: what a state file keeps. */
export interface StoreState {
	sequence: number;
	organizations: Organization[];
	users: User[];
	teams: Team[];
	keys: ApiKey[];
	templates: Template[];
	inspections: Inspection[];
	tasks: Task[];
	pending: PendingWrite[];
}

interface Indexes {
	updatedAt: InspectionIndex;
	createdAt: InspectionIndex;
}

const CONTENT_TYPES: Record<string, [type: string, extension: string]> = {
	image: ['image/png', 'png'],
	video: ['video/mp4', 'mp4'],
	audio: ['audio/wav', 'wav'],
	attachment: ['application/pdf', 'pdf'],
	signature: ['image/png', 'png'],
	instacount: ['image/png', 'png'],
};

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

function need<T>(value: T | undefined, what: string): T {
	if (value === undefined) throw new TypeError(`The sandbox has no ${what}`);
	return value;
}

/**
 * All data of the service, in memory. Writes are synchronous and take effect at once unless their timing says
 * otherwise; every write gets a timestamp of its own unless it is given one.
 */
export class Store {
	private readonly clock: ServiceClock;
	private readonly settings: SandboxSettings;
	private readonly organizationsById = new Map<string, Organization>();
	private readonly usersById = new Map<string, User>();
	private readonly teamsById = new Map<string, Team>();
	private readonly keysByText = new Map<string, ApiKey>();
	private readonly templatesById = new Map<string, Template>();
	private readonly inspectionsById = new Map<string, Inspection>();
	private readonly filesById = new Map<string, FileRecord>();
	private readonly indexes = new Map<string, Indexes>();
	private readonly taskList: Task[] = [];
	private pending: PendingWrite[] = [];
	private sequence = 0;
	/** Counts changes to anything that inspections show of others (templates, teams, users). */
	catalogRevision = 0;
	/** Called after every write. */
	onWrite: () => void = () => undefined;

	constructor(clock: ServiceClock, settings: SandboxSettings) {
		this.clock = clock;
		this.settings = settings;
	}

	/** A new GUID: deterministic, the n-th of a data set is always the same. */
	newId(kind: string): string {
		this.sequence += 1;
		return guidOf(`${kind}/${String(this.sequence)}`);
	}

	addOrganization(spec: OrganizationSpec): Organization {
		const organization: Organization = {
			id: this.newId('organization'),
			name: spec.name,
			publicApi: spec.publicApi ?? true,
			timeZone: spec.timeZone ?? 'America/New_York',
		};
		this.organizationsById.set(organization.id, organization);
		return this.catalogChanged(organization);
	}

	addUser(spec: UserSpec): User {
		const user: User = {
			id: this.newId('user'),
			organizationId: spec.organizationId,
			name: spec.name,
			email: spec.email,
			teamIds: spec.teamIds ? [...spec.teamIds] : null,
			deleted: spec.deleted ?? false,
		};
		this.usersById.set(user.id, user);
		return this.catalogChanged(user);
	}

	addTeam(spec: { organizationId: string; name: string }): Team {
		const team: Team = { id: this.newId('team'), ...spec };
		this.teamsById.set(team.id, team);
		return this.catalogChanged(team);
	}

	addKey(spec: KeySpec): ApiKey {
		const key: ApiKey = {
			key: spec.key,
			organizationId: spec.organizationId,
			ownerId: spec.ownerId,
			permissions: [...(spec.permissions ?? PERMISSIONS)],
			expiresAt: spec.expiresAt ? ticksOf(spec.expiresAt) : null,
			teamIds: spec.teamIds ? [...spec.teamIds] : null,
		};
		this.keysByText.set(key.key, key);
		return this.catalogChanged(key);
	}

	addTemplate(spec: TemplateSpec, timing: WriteTiming = {}): Template {
		const team = need(
			spec.teamId === undefined ? this.teams()[0] : this.team(spec.teamId),
			`team ${String(spec.teamId)}`,
		);
		const owner = need(this.members(team.organizationId)[0], 'user in that organization');
		const id = spec.id ?? this.newId('template');
		const at = this.stampOf(timing);
		const template: Template = {
			id,
			organizationId: team.organizationId,
			teamId: team.id,
			identifier: spec.identifier ?? `T-${id.slice(0, 8).toUpperCase()}`,
			name: spec.name,
			description: spec.description ?? '',
			published: spec.published ?? true,
			disabled: spec.disabled ?? false,
			deleted: false,
			createdAt: at,
			createdById: owner.id,
			updatedAt: at,
			updatedById: owner.id,
			controls: controlsOf(id, spec.controls ?? []),
		};
		this.templatesById.set(template.id, template);
		return this.catalogChanged(template);
	}

	updateTemplate(
		id: string,
		patch: Partial<Omit<TemplateSpec, 'id'>>,
		timing: WriteTiming = {},
	): Template {
		const { controls, ...rest } = patch;
		const old = need(this.templatesById.get(id), `template ${id}`);
		const template: Template = {
			...old,
			...rest,
			controls: controls === undefined ? old.controls : controlsOf(id, controls),
			updatedAt: this.stampOf(timing),
		};
		this.templatesById.set(id, template);
		return this.catalogChanged(template);
	}

	/** Deletes a template; its inspections stay. */
	removeTemplate(id: string): void {
		const template = need(this.templatesById.get(id), `template ${id}`);
		this.templatesById.set(id, this.catalogChanged({ ...template, deleted: true }));
	}

	/** The version written, which reads see from `timing.visibleAt` on. */
	addInspection(spec: InspectionSpec, timing: WriteTiming = {}): Inspection {
		const template = need(this.findTemplate(null, spec.template), `template ${spec.template}`);
		const creatorId =
			spec.createdBy ?? need(this.members(template.organizationId)[0], 'user for that team').id;
		const at = this.stampOf(timing);
		const id = spec.id ?? this.newId('inspection');
		const inspection: Inspection = {
			id,
			organizationId: template.organizationId,
			teamId: template.teamId,
			templateId: template.id,
			name: spec.name ?? `${template.name} ${String(this.sequence)}`,
			status: spec.status ?? 'new',
			description: spec.description ?? '',
			createdAt: spec.createdAt === undefined ? at : ticksOf(spec.createdAt),
			createdById: creatorId,
			updatedAt: at,
			updatedById: spec.updatedBy ?? creatorId,
			timeZone: spec.timeZone ?? this.zoneOf(template.organizationId),
			customFields: [...(spec.customFields ?? [])],
			locations: [...(spec.locations ?? [])],
			sharedWithIds: [...(spec.sharedWith ?? [])],
			answers: this.answersOf(template, spec.answers ?? []),
			files: this.filesOf(spec.files ?? []),
		};
		return this.commitNew(inspection, timing);
	}

	/** Writes what the API's create has made of a request. */
	createInspection(draft: InspectionDraft, timing: WriteTiming = {}): Inspection {
		const { template, creatorId, ...values } = draft;
		const at = this.stampOf(timing);
		return this.commitNew(
			{
				...values,
				id: this.newId('inspection'),
				organizationId: template.organizationId,
				teamId: template.teamId,
				templateId: template.id,
				createdAt: at,
				createdById: creatorId,
				updatedAt: at,
				updatedById: creatorId,
				timeZone: this.zoneOf(template.organizationId),
				sharedWithIds: [],
				files: [],
			},
			timing,
		);
	}

	/** Changes an inspection; without a patch it only gets a new updated_at. */
	updateInspection(id: string, patch: InspectionPatch = {}, timing: WriteTiming = {}): void {
		const known =
			this.inspectionsById.get(id) ?? this.pending.find((write) => write.id === id)?.created;
		const old = need(known ?? undefined, `inspection ${id}`);
		const change = { ...this.changeOf(old, patch), updatedAt: this.stampOf(timing) };
		const visibleAt = this.visibleAtOf(timing);
		if (visibleAt === null && this.inspectionsById.has(id)) this.replace(id, change);
		else this.pending.push({ visibleAt: visibleAt ?? 0n, id, change, created: null });
		this.onWrite();
	}

	removeInspection(id: string): void {
		const inspection = this.inspectionsById.get(id);
		if (inspection === undefined) return;
		this.inspectionsById.delete(id);
		this.pending = this.pending.filter((write) => write.id !== id);
		for (const file of inspection.files) this.filesById.delete(file.id);
		this.removeFromIndexes(inspection);
		this.onWrite();
	}

	addTask(task: Omit<Task, 'id'>): Task {
		const added: Task = { id: this.newId('task'), ...task };
		this.taskList.push(added);
		this.onWrite();
		return added;
	}

	/** All that a read sees now, ascending by updated_at. */
	inspections(organizationId?: string): readonly Inspection[] {
		const ids =
			organizationId === undefined ? [...this.organizationsById.keys()] : [organizationId];
		return ids.flatMap((id) => [...this.sortedBy(id, 'updatedAt').between(null, null)]);
	}

	/** The inspection as a read sees it now; its late commits take effect first. */
	find(id: string): Inspection | undefined {
		this.settle();
		return this.inspectionsById.get(id);
	}

	/** One organization's inspections in the order of a timestamp. */
	sortedBy(organizationId: string, key: SortKey): InspectionIndex {
		this.settle();
		return this.indexesOf(organizationId)[key];
	}

	/** A file of any inspection, by its id. */
	findFile(id: string): FileRecord | undefined {
		this.settle();
		return this.filesById.get(id);
	}

	findKey(text: string): ApiKey | undefined {
		return this.keysByText.get(text);
	}

	/** By GUID, else by identifier without regard to case; of one organization, or of all (null). Deleted ones too. */
	findTemplate(organizationId: string | null, reference: string): Template | undefined {
		const isVisible = (template: Template) =>
			organizationId === null || template.organizationId === organizationId;
		const id = parseGuid(reference);
		if (id !== null) {
			const template = this.templatesById.get(id);
			return template !== undefined && isVisible(template) ? template : undefined;
		}
		const identifier = reference.toLowerCase();
		const matches = [...this.templatesById.values()].filter(
			(template) => isVisible(template) && template.identifier.toLowerCase() === identifier,
		);
		return matches.find((template) => !template.deleted) ?? matches[0];
	}

	organization(id: string): Organization | undefined {
		return this.organizationsById.get(id);
	}

	organizations(): Organization[] {
		return [...this.organizationsById.values()];
	}

	team(id: string): Team | undefined {
		return this.teamsById.get(id);
	}

	teams(organizationId?: string): Team[] {
		return [...this.teamsById.values()].filter(
			(team) => organizationId === undefined || team.organizationId === organizationId,
		);
	}

	user(id: string): User | undefined {
		return this.usersById.get(id);
	}

	/** Users of an organization that are not deleted. */
	members(organizationId: string): User[] {
		return [...this.usersById.values()].filter(
			(user) => user.organizationId === organizationId && !user.deleted,
		);
	}

	templates(organizationId?: string): Template[] {
		return [...this.templatesById.values()].filter(
			(template) => organizationId === undefined || template.organizationId === organizationId,
		);
	}

	tasks(): readonly Task[] {
		return this.taskList;
	}

	/** Everything as plain data, late commits included. */
	dump(): StoreState {
		return {
			sequence: this.sequence,
			organizations: this.organizations(),
			users: [...this.usersById.values()],
			teams: this.teams(),
			keys: [...this.keysByText.values()],
			templates: this.templates(),
			inspections: [...this.inspectionsById.values()],
			tasks: this.taskList,
			pending: this.pending,
		};
	}

	/** Takes the place of everything. */
	restore(state: StoreState): void {
		const maps = [this.organizationsById, this.usersById, this.teamsById, this.keysByText];
		const derived = [this.filesById, this.indexes];
		for (const map of [...maps, this.templatesById, this.inspectionsById, ...derived]) map.clear();
		this.sequence = state.sequence;
		for (const item of state.organizations) this.organizationsById.set(item.id, item);
		for (const item of state.users) this.usersById.set(item.id, item);
		for (const item of state.teams) this.teamsById.set(item.id, item);
		for (const item of state.keys) this.keysByText.set(item.key, item);
		for (const item of state.templates) this.templatesById.set(item.id, item);
		for (const item of state.inspections) this.insert(item);
		this.taskList.splice(0, this.taskList.length, ...state.tasks);
		this.pending = [...state.pending];
		this.catalogRevision += 1;
	}

	/** Lets late commits take effect whose moment has come. */
	private settle(): void {
		if (this.pending.length === 0) return;
		const now = this.clock.now();
		const due = this.pending.filter((write) => write.visibleAt <= now);
		if (due.length === 0) return;
		due.sort((a, b) => Number(a.visibleAt - b.visibleAt));
		const later: PendingWrite[] = [];
		for (const write of due) {
			if (write.created !== null) this.insert(write.created);
			else if (this.inspectionsById.has(write.id)) this.replaceLate(write.id, write.change);
			else later.push(write);
		}
		this.pending = [...this.pending.filter((write) => write.visibleAt > now), ...later];
		if (later.length > 0 && later.length < due.length) this.settle();
	}

	private commitNew(inspection: Inspection, timing: WriteTiming): Inspection {
		const visibleAt = this.visibleAtOf(timing);
		if (visibleAt === null) this.insert(inspection);
		else this.pending.push({ visibleAt, id: inspection.id, change: {}, created: inspection });
		this.onWrite();
		return inspection;
	}

	private insert(inspection: Inspection): void {
		this.inspectionsById.set(inspection.id, inspection);
		for (const file of inspection.files) this.filesById.set(file.id, file);
		const indexes = this.indexesOf(inspection.organizationId);
		indexes.updatedAt.add(inspection);
		indexes.createdAt.add(inspection);
	}

	private replace(id: string, change: Change): void {
		const old = need(this.inspectionsById.get(id), `inspection ${id}`);
		this.removeFromIndexes(old);
		for (const file of old.files) this.filesById.delete(file.id);
		this.insert({ ...old, ...change });
	}

	/** A late write does not set updated_at back where a newer version was committed before it. */
	private replaceLate(id: string, change: Change): void {
		const current = need(this.inspectionsById.get(id), `inspection ${id}`).updatedAt;
		const stamp = change.updatedAt ?? current;
		this.replace(id, { ...change, updatedAt: stamp > current ? stamp : current });
	}

	private removeFromIndexes(inspection: Inspection): void {
		const indexes = this.indexesOf(inspection.organizationId);
		indexes.updatedAt.remove(inspection);
		indexes.createdAt.remove(inspection);
	}

	private indexesOf(organizationId: string): Indexes {
		const known = this.indexes.get(organizationId);
		if (known !== undefined) return known;
		const made: Indexes = {
			updatedAt: new InspectionIndex('updatedAt'),
			createdAt: new InspectionIndex('createdAt'),
		};
		this.indexes.set(organizationId, made);
		return made;
	}

	private changeOf(old: Inspection, patch: InspectionPatch): Change {
		const { answers, files, sharedWith, createdAt, updatedBy, ...same } = patch;
		const change: { -readonly [Name in keyof Inspection]?: Inspection[Name] } = { ...same };
		if (createdAt !== undefined) change.createdAt = ticksOf(createdAt);
		if (updatedBy !== undefined) change.updatedById = updatedBy;
		if (sharedWith !== undefined) change.sharedWithIds = [...sharedWith];
		if (files !== undefined) change.files = this.filesOf(files);
		if (answers !== undefined) {
			const template = need(this.templatesById.get(old.templateId), 'template of it');
			change.answers = this.answersOf(template, answers);
		}
		return change;
	}

	private answersOf(template: Template, specs: readonly AnswerSpec[]): Answer[] {
		return specs.map((spec) => ({
			controlId: findControl(template, spec.control).id,
			order: spec.order ?? 1,
			value: spec.value,
			flagged: spec.flagged ?? false,
		}));
	}

	private filesOf(specs: readonly FileSpec[]): FileRecord[] {
		return specs.map((spec) => {
			const id = spec.id ?? this.newId('file');
			const [type, extension] = CONTENT_TYPES[spec.kind] ?? ['application/octet-stream', 'bin'];
			return {
				id,
				name: spec.name ?? `${spec.kind}-${id.slice(0, 8)}.${extension}`,
				kind: spec.kind,
				contentType: spec.contentType ?? type,
				content: spec.content ?? { form: 'sample', seed: id },
			};
		});
	}

	private zoneOf(organizationId: string): string {
		return need(this.organizationsById.get(organizationId), 'such organization').timeZone;
	}

	private stampOf(timing: WriteTiming): Ticks {
		return timing.at === undefined
			? this.clock.stamp(this.settings.timestampPrecision)
			: ticksOf(timing.at);
	}

	/** Null: at once. */
	private visibleAtOf(timing: WriteTiming): Ticks | null {
		if (timing.visibleAt !== undefined) return ticksOf(timing.visibleAt);
		const delay = timing.visibleInMs ?? 0;
		return delay <= 0 ? null : this.clock.now() + BigInt(Math.round(delay * Number(TICKS_PER_MS)));
	}

	private catalogChanged<T>(value: T): T {
		this.catalogRevision += 1;
		this.onWrite();
		return value;
	}
}
