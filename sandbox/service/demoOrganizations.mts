import demo from './demoOrganizations.json' with { type: 'json' };
import type { Organization, Team } from './model.mts';
import { documentedOperations } from './serviceDocument.mts';
import { need } from './specs.mts';
import type { Store } from './store.mts';
import { ticksOf } from './time.mts';

interface OrganizationRow {
	name: string;
	timeZone?: string;
	publicApi?: boolean;
	teams: string[];
	/**
	 * The first person is the owner of all the organization's API keys. `teams` names the teams whose templates a person
	 * can use. Default: all teams.
	 */
	people: { name: string; email: string; teams?: string[]; deleted?: boolean }[];
}

/** How a key's rights differ from the default: every permission and every team of organization north. */
interface Rights {
	/** The name of the key's organization. `nowhere` means an organization that doesn't exist. */
	of?: string;
	/** The only permission that the key doesn't have. */
	lacks?: string;
	expiresAt?: string;
	/** The names of the only teams that the key can access. */
	teams?: string[];
}

export type KeyName = keyof typeof demo.keys;

/**
 * The API keys by name. They differ in organization, permissions, teams, and expiry. They aren't secrets, because only
 * sandboxes accept them.
 */
export const KEYS: Readonly<Record<KeyName, string>> = demo.keys;

/** An organization, its teams, and the owner of its keys. The owner is also the default creator of inspections. */
export type Tenant = ReturnType<typeof addOrganization>;

export type Tenants = Record<keyof typeof demo.organizations, Tenant>;

/** Returns the IDs of the teams with these names. Without names, returns null, which means all teams. */
const only = (teams: readonly Team[], names?: readonly string[]): string[] | null =>
	names ? teams.filter(({ name }) => names.includes(name)).map(({ id }) => id) : null;

function addOrganization(store: Store, { teams: names, people, ...row }: OrganizationRow) {
	const organizationId = store.newId('organization');
	const defaults = { id: organizationId, publicApi: true, timeZone: 'America/New_York' };
	const organization: Organization = { ...defaults, ...row };
	const teams = names.map((name) => ({ id: store.newId('team'), organizationId, name }));
	const users = people.map(({ teams: allowed, deleted = false, ...person }) => {
		const id = store.newId('user');
		return { id, organizationId, teamIds: only(teams, allowed), deleted, ...person };
	});
	store.organizations.set(organizationId, organization);
	for (const team of teams) store.teams.set(team.id, team);
	for (const user of users) store.users.set(user.id, user);
	return { organization, owner: need(users[0], `owner of ${row.name}`), teams };
}

/**
 * Adds the API keys and three organizations that can't access each other's data. The third organization's public API is
 * disabled.
 */
export function addOrganizations(store: Store): Tenants {
	const { north, south, closed } = demo.organizations;
	const tenants: Record<string, Tenant> & Tenants = {
		north: addOrganization(store, north),
		south: addOrganization(store, south),
		closed: addOrganization(store, closed),
	};
	const permissions = documentedOperations.map(({ permission }) => permission);
	const rights: Record<string, Rights> = demo.rights;
	for (const [name, key] of Object.entries(KEYS)) {
		const { of = 'north', lacks, expiresAt, teams } = rights[name] ?? {};
		const { organization, owner } = tenants[of] ?? tenants.north;
		store.keys.set(key, {
			organizationId: of in tenants ? organization.id : store.newId('nowhere'),
			ownerId: owner.id,
			permissions: permissions.filter((permission) => permission !== lacks),
			expiresAt: expiresAt === undefined ? null : ticksOf(expiresAt),
			teamIds: only(tenants[of]?.teams ?? [], teams),
		});
	}
	return tenants;
}
