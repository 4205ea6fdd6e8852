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

/** Organizations with their people, teams and keys, and their templates. */
export class Catalog {
	/** Rises with every change of organizations, people, teams, keys and templates. */
	revision = 0;
	/** Called after every write. */
	onWrite: () => void = () => undefined;
	protected readonly clock: ServiceClock;
	protected readonly settings: SandboxSettings;
	/** How many ids were given out. */
	protected sequence = 0;
	protected rows = {
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
		const defaults = { id, publicApi: true, timeZone: 'America/New_York' };
		return this.keep(this.rows.organizations, id, { ...defaults, ...spec });
	}

	addUser(spec: UserSpec): User {
		const id = this.newId('user');
		return this.keep(this.rows.users, id, { id, teamIds: null, deleted: false, ...spec });
	}

	addTeam(spec: Omit<Team, 'id'>): Team {
		const id = this.newId('team');
		return this.keep(this.rows.teams, id, { id, ...spec });
	}

	addKey({ expiresAt = null, ...spec }: KeySpec): ApiKey {
		return this.keep(this.rows.keys, spec.key, {
			permissions: [...PERMISSIONS],
			teamIds: null,
			...spec,
			expiresAt: expiresAt === null ? null : ticksOf(expiresAt),
		});
	}

	addTemplate({ controls = [], teamId, ...spec }: TemplateSpec, timing: WriteTiming = {}) {
		const team = need(
			teamId === undefined ? this.teams()[0] : this.team(teamId),
			`team ${String(teamId)}`,
		);
		const owner = need(this.members(team.organizationId)[0], 'user in that organization');
		const id = spec.id ?? this.newId('template');
		const at = this.stampOf(timing);
		return this.keep<Template>(this.rows.templates, id, {
			id,
			organizationId: team.organizationId,
			teamId: team.id,
			identifier: `T-${id.slice(0, 8).toUpperCase()}`,
			description: '',
			published: true,
			disabled: false,
			deleted: false,
			createdAt: at,
			createdById: owner.id,
			updatedAt: at,
			updatedById: owner.id,
			controls: controlsOf(id, controls),
			...spec,
		});
	}

	updateTemplate(id: string, { controls, ...patch }: Partial<Omit<TemplateSpec, 'id'>>): Template {
		const old = this.template(id);
		return this.keep(this.rows.templates, id, {
			...old,
			...patch,
			controls: controls === undefined ? old.controls : controlsOf(id, controls),
			updatedAt: this.stampOf({}),
		});
	}

	/** Deletes a template; its inspections stay. */
	removeTemplate(id: string): void {
		this.keep(this.rows.templates, id, { ...this.template(id), deleted: true });
	}

	findKey(text: string): ApiKey | undefined {
		return this.rows.keys.get(text);
	}

	/** By GUID, else by identifier without regard to case; of one organization, or of all (null). Deleted ones too. */
	findTemplate(organizationId: string | null, reference: string): Template | undefined {
		const templates = this.templates(organizationId ?? undefined);
		const id = parseGuid(reference);
		if (id !== null) return templates.find((template) => template.id === id);
		const identifier = reference.toLowerCase();
		const matches = templates.filter((one) => one.identifier.toLowerCase() === identifier);
		return matches.find(({ deleted }) => !deleted) ?? matches[0];
	}

	/** @throws where there is none */
	template(id: string): Template {
		return need(this.rows.templates.get(id), `template ${id}`);
	}

	templates(organizationId?: string): Template[] {
		return ofOne(this.rows.templates, organizationId);
	}

	organization(id: string): Organization | undefined {
		return this.rows.organizations.get(id);
	}

	organizations(): Organization[] {
		return [...this.rows.organizations.values()];
	}

	team(id: string): Team | undefined {
		return this.rows.teams.get(id);
	}

	teams(organizationId?: string): Team[] {
		return ofOne(this.rows.teams, organizationId);
	}

	user(id: string): User | undefined {
		return this.rows.users.get(id);
	}

	/** Users of an organization that are not deleted. */
	members(organizationId: string): User[] {
		return ofOne(this.rows.users, organizationId).filter(({ deleted }) => !deleted);
	}

	/** The timestamp of a write: the given one, or now and later than all others. */
	protected stampOf({ at }: WriteTiming): Ticks {
		return at === undefined ? this.clock.stamp(this.settings.timestampPrecision) : ticksOf(at);
	}

	private keep<Row>(rows: Map<string, Row>, id: string, row: Row): Row {
		rows.set(id, row);
		this.revision += 1;
		this.onWrite();
		return row;
	}
}

function ofOne<Row extends { organizationId: string }>(
	rows: ReadonlyMap<string, Row>,
	organizationId?: string,
): Row[] {
	const all = [...rows.values()];
	return organizationId === undefined
		? all
		: all.filter((row) => row.organizationId === organizationId);
}
