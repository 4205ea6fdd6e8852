import type { ServiceClock } from './clock.mts';
import { guidOf, parseGuid } from './guid.mts';
import {
	type ApiKey,
	type Organization,
	PERMISSIONS,
	type Team,
	type Template,
	type User,
} from './model.mts';
import type { SandboxSettings } from './settings.mts';
import {
	type KeySpec,
	need,
	type OrganizationSpec,
	type TemplateSpec,
	type UserSpec,
	type WriteTiming,
} from './specs.mts';
import { controlsOf } from './templateSpec.mts';
import { type Ticks, ticksOf } from './timestamp.mts';

/** What a catalog holds, as plain data. */
export interface CatalogState {
	sequence: number;
	organizations: Organization[];
	users: User[];
	teams: Team[];
	keys: ApiKey[];
	templates: Template[];
}

/** Organizations with their people, teams and keys, and their templates. */
export class Catalog {
	/** Rises with every change of organizations, people, teams, keys and templates. */
	catalogRevision = 0;
	/** Called after every write. */
	onWrite: () => void = () => undefined;
	protected readonly clock: ServiceClock;
	protected readonly settings: SandboxSettings;
	private sequence = 0;
	private readonly tables = {
		organizations: new Map<string, Organization>(),
		users: new Map<string, User>(),
		teams: new Map<string, Team>(),
		keys: new Map<string, ApiKey>(),
		templates: new Map<string, Template>(),
	};

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
		const id = this.newId('organization');
		return this.keep(this.tables.organizations, id, {
			id,
			name: spec.name,
			publicApi: spec.publicApi ?? true,
			timeZone: spec.timeZone ?? 'America/New_York',
		});
	}

	addUser({ teamIds = null, deleted = false, ...spec }: UserSpec): User {
		const id = this.newId('user');
		return this.keep(this.tables.users, id, {
			id,
			...spec,
			teamIds: teamIds && [...teamIds],
			deleted,
		});
	}

	addTeam(spec: { organizationId: string; name: string }): Team {
		const id = this.newId('team');
		return this.keep(this.tables.teams, id, { id, ...spec });
	}

	addKey({
		permissions = PERMISSIONS,
		expiresAt = null,
		teamIds = null,
		...spec
	}: KeySpec): ApiKey {
		return this.keep(this.tables.keys, spec.key, {
			...spec,
			permissions: [...permissions],
			expiresAt: expiresAt === null ? null : ticksOf(expiresAt),
			teamIds: teamIds && [...teamIds],
		});
	}

	addTemplate(spec: TemplateSpec, timing: WriteTiming = {}): Template {
		const team = need(
			spec.teamId === undefined ? this.teams()[0] : this.team(spec.teamId),
			`team ${String(spec.teamId)}`,
		);
		const owner = need(this.members(team.organizationId)[0], 'user in that organization');
		const id = spec.id ?? this.newId('template');
		const at = this.stampOf(timing);
		return this.keep(this.tables.templates, id, {
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
		});
	}

	updateTemplate(
		id: string,
		{ controls, ...patch }: Partial<Omit<TemplateSpec, 'id'>>,
		timing: WriteTiming = {},
	): Template {
		const old = this.template(id);
		return this.keep(this.tables.templates, id, {
			...old,
			...patch,
			controls: controls === undefined ? old.controls : controlsOf(id, controls),
			updatedAt: this.stampOf(timing),
		});
	}

	/** Deletes a template; its inspections stay. */
	removeTemplate(id: string): void {
		this.keep(this.tables.templates, id, { ...this.template(id), deleted: true });
	}

	findKey(text: string): ApiKey | undefined {
		return this.tables.keys.get(text);
	}

	/** By GUID, else by identifier without regard to case; of one organization, or of all (null). Deleted ones too. */
	findTemplate(organizationId: string | null, reference: string): Template | undefined {
		const isVisible = (template: Template) =>
			organizationId === null || template.organizationId === organizationId;
		const id = parseGuid(reference);
		if (id !== null) {
			const template = this.tables.templates.get(id);
			return template !== undefined && isVisible(template) ? template : undefined;
		}
		const identifier = reference.toLowerCase();
		const matches = this.templates().filter(
			(template) => isVisible(template) && template.identifier.toLowerCase() === identifier,
		);
		return matches.find((template) => !template.deleted) ?? matches[0];
	}

	organization(id: string): Organization | undefined {
		return this.tables.organizations.get(id);
	}

	organizations(): Organization[] {
		return [...this.tables.organizations.values()];
	}

	team(id: string): Team | undefined {
		return this.tables.teams.get(id);
	}

	teams(organizationId?: string): Team[] {
		return ofOne([...this.tables.teams.values()], organizationId);
	}

	user(id: string): User | undefined {
		return this.tables.users.get(id);
	}

	/** Users of an organization that are not deleted. */
	members(organizationId: string): User[] {
		return ofOne([...this.tables.users.values()], organizationId).filter(({ deleted }) => !deleted);
	}

	templates(organizationId?: string): Template[] {
		return ofOne([...this.tables.templates.values()], organizationId);
	}

	dumpCatalog(): CatalogState {
		return {
			sequence: this.sequence,
			organizations: this.organizations(),
			users: [...this.tables.users.values()],
			teams: this.teams(),
			keys: [...this.tables.keys.values()],
			templates: this.templates(),
		};
	}

	restoreCatalog(state: CatalogState): void {
		for (const table of Object.values(this.tables)) table.clear();
		this.sequence = state.sequence;
		for (const item of state.organizations) this.tables.organizations.set(item.id, item);
		for (const item of state.users) this.tables.users.set(item.id, item);
		for (const item of state.teams) this.tables.teams.set(item.id, item);
		for (const item of state.keys) this.tables.keys.set(item.key, item);
		for (const item of state.templates) this.tables.templates.set(item.id, item);
		this.catalogRevision += 1;
	}

	protected template(id: string): Template {
		return need(this.tables.templates.get(id), `template ${id}`);
	}

	/** The timestamp of a write: the given one, or now and later than all others. */
	protected stampOf({ at }: WriteTiming): Ticks {
		return at === undefined ? this.clock.stamp(this.settings.timestampPrecision) : ticksOf(at);
	}

	private keep<Row>(table: Map<string, Row>, id: string, row: Row): Row {
		table.set(id, row);
		this.catalogRevision += 1;
		this.onWrite();
		return row;
	}
}

const ofOne = <T extends { organizationId: string }>(items: T[], organizationId?: string): T[] =>
	organizationId === undefined
		? items
		: items.filter((item) => item.organizationId === organizationId);
