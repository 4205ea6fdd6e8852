import { guidOf, parseGuid } from './guid.mts';
import type { ApiKey, History, Organization, Team, Template, User } from './model.mts';
import type { SandboxSettings } from './settings.mts';
import { controlsOf, need, type TemplateSpec, type WriteTiming } from './specs.mts';
import { type ServiceClock, type Ticks, ticksOf } from './time.mts';

/** Returns the history of a record that this user creates at this time. */
export const madeBy = (userId: string, at: Ticks): History => ({
	createdAt: at,
	createdById: userId,
	updatedAt: at,
	updatedById: userId,
});

/**
 * All organizations, users, teams, API keys, and templates of the service. Each map is keyed by ID, except for `keys`.
 */
export class Catalog {
	organizations = new Map<string, Organization>();
	users = new Map<string, User>();
	teams = new Map<string, Team>();
	/** Keyed by the API key's text. */
	keys = new Map<string, ApiKey>();
	templates = new Map<string, Template>();
	/** The number of IDs created so far. */
	protected sequence = 0;
	protected readonly clock: ServiceClock;
	readonly settings: SandboxSettings;

	constructor(clock: ServiceClock, settings: SandboxSettings) {
		this.clock = clock;
		this.settings = settings;
	}

	/**
	 * Returns a new GUID, derived from `kind` and the number of IDs created so far. So records that are added in the same
	 * order have the same IDs in every run.
	 */
	newId(kind: string): string {
		this.sequence += 1;
		return guidOf(`${kind}/${String(this.sequence)}`);
	}

	/** Returns the users of an organization who aren't deleted. */
	members(organizationId: string): User[] {
		const users = [...this.users.values()];
		return users.filter((user) => user.organizationId === organizationId && !user.deleted);
	}

	addTemplate({ controls = [], teamId, ...spec }: TemplateSpec, timing: WriteTiming = {}) {
		const [firstTeam] = this.teams.values();
		const team = need(teamId === undefined ? firstTeam : this.teams.get(teamId), 'such team');
		const owner = need(this.members(team.organizationId)[0], 'user in that organization');
		const id = spec.id ?? this.newId('template');
		const template: Template = {
			id,
			organizationId: team.organizationId,
			teamId: team.id,
			identifier: `T-${id.slice(0, 8).toUpperCase()}`,
			description: '',
			published: true,
			disabled: false,
			deleted: false,
			...madeBy(owner.id, this.stampOf(timing)),
			controls: controlsOf(id, controls),
			...spec,
		};
		this.templates.set(id, template);
		return template;
	}

	/** Changes a template, or marks it as deleted. The template's inspections stay. */
	updateTemplate(id: string, { controls, ...patch }: Partial<Omit<TemplateSpec, 'id'>>): void {
		this.templates.set(id, {
			...this.template(id),
			...patch,
			...(controls && { controls: controlsOf(id, controls) }),
			updatedAt: this.stampOf({}),
		});
	}

	/**
	 * Finds a template by GUID or by identifier (not case-sensitive). Searches one organization, or all if
	 * `organizationId` is null. Returns a deleted template only if no other matches.
	 */
	findTemplate(organizationId: string | null, reference: string): Template | undefined {
		const id = parseGuid(reference);
		const identifier = reference.toLowerCase();
		const found = [...this.templates.values()].filter((template) => {
			if (organizationId !== null && template.organizationId !== organizationId) return false;
			return id === null ? template.identifier.toLowerCase() === identifier : template.id === id;
		});
		return found.find(({ deleted }) => !deleted) ?? found[0];
	}

	/** @throws if the template doesn't exist */
	template(id: string): Template {
		return need(this.templates.get(id), `template ${id}`);
	}

	/**
	 * Returns the timestamp of a write: `at` if given, else now. If now is not later than the previous timestamp, returns
	 * the next possible timestamp.
	 */
	protected stampOf({ at }: WriteTiming): Ticks {
		return at === undefined ? this.clock.stamp(this.settings.timestampPrecision) : ticksOf(at);
	}
}
