import { guidOf, parseGuid } from './guid.mts';
import type { ApiKey, History, Organization, Team, Template, User } from './model.mts';
import type { SandboxSettings } from './settings.mts';
import { controlsOf, need, type TemplateSpec, type WriteTiming } from './specs.mts';
import { type ServiceClock, type Ticks, ticksOf } from './time.mts';

/** The history of what was just made. */
export const madeBy = (userId: string, at: Ticks): History => ({
	createdAt: at,
	createdById: userId,
	updatedAt: at,
	updatedById: userId,
});

/** Organizations with their people, teams and keys, and their templates; all by id. */
export class Catalog {
	organizations = new Map<string, Organization>();
	users = new Map<string, User>();
	teams = new Map<string, Team>();
	/** By their text. */
	keys = new Map<string, ApiKey>();
	templates = new Map<string, Template>();
	/** How many ids were given out. */
	protected sequence = 0;
	protected readonly clock: ServiceClock;
	readonly settings: SandboxSettings;

	constructor(clock: ServiceClock, settings: SandboxSettings) {
		this.clock = clock;
		this.settings = settings;
	}

	/** A new GUID: deterministic, the n-th of a data set is always the same. */
	newId(kind: string): string {
		this.sequence += 1;
		return guidOf(`${kind}/${String(this.sequence)}`);
	}

	/** Users of an organization that are not deleted. */
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

	/** Changes a template, or deletes it; its inspections stay. */
	updateTemplate(id: string, { controls, ...patch }: Partial<Omit<TemplateSpec, 'id'>>): void {
		this.templates.set(id, {
			...this.template(id),
			...patch,
			...(controls && { controls: controlsOf(id, controls) }),
			updatedAt: this.stampOf({}),
		});
	}

	/** By GUID, else by identifier without regard to case; of one organization, or of all (null). Deleted ones too. */
	findTemplate(organizationId: string | null, reference: string): Template | undefined {
		const id = parseGuid(reference);
		const identifier = reference.toLowerCase();
		const found = [...this.templates.values()].filter((template) => {
			if (organizationId !== null && template.organizationId !== organizationId) return false;
			return id === null ? template.identifier.toLowerCase() === identifier : template.id === id;
		});
		return found.find(({ deleted }) => !deleted) ?? found[0];
	}

	/** @throws where there is none */
	template(id: string): Template {
		return need(this.templates.get(id), `template ${id}`);
	}

	/** The timestamp of a write: the given one, or now and later than all others. */
	protected stampOf({ at }: WriteTiming): Ticks {
		return at === undefined ? this.clock.stamp(this.settings.timestampPrecision) : ticksOf(at);
	}
}
