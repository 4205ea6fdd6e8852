import demo from './demoOrganizations.json' with { type: 'json' };
import { type Organization, PERMISSIONS, type Team, type User } from './model.mts';
import type { Store } from './store.mts';

interface OrganizationRow {
	name: string;
	timeZone?: string;
	publicApi?: boolean;
	teams: string[];
	/** The first owns the keys. `teams` names the only ones whose templates the person may use. */
	people: { name: string; email: string; teams?: string[]; deleted?: boolean }[];
}

interface KeyRow {
	key: string;
	/** Its organization; `nowhere` is one that does not exist. */
	of: string;
	/** The one permission that it lacks. */
	lacks?: string;
	expiresAt?: string;
	/** Names of the only teams that it may name. */
	teams?: string[];
}

export type KeyName = keyof typeof demo.keys;

/** The text of every API key, by its name: one for every condition. They open nothing but a sandbox. */
export const KEYS: Readonly<Record<KeyName, string>> = Object.assign(
	{},
	...Object.entries(demo.keys).map(([name, { key }]) => ({ [name]: key })),
);

/** An organization with the people and teams that tests need by name. */
export interface Tenant {
	organization: Organization;
	/** Owner of the organization's keys: the default creator. */
	owner: User;
	/** Without those that are deleted. */
	members: User[];
	teams: Team[];
}

export type Tenants = Record<keyof typeof demo.organizations, Tenant>;

/** Ids of the teams with these names; null, which means all teams, without names. */
const only = (teams: readonly Team[], names?: readonly string[]): string[] | null =>
	names ? teams.filter(({ name }) => names.includes(name)).map(({ id }) => id) : null;

function addOrganization(store: Store, { teams: names, people, ...spec }: OrganizationRow): Tenant {
	const organization = store.addOrganization(spec);
	const organizationId = organization.id;
	const teams = names.map((name) => store.addTeam({ organizationId, name }));
	for (const { teams: allowed, ...person } of people) {
		store.addUser({ organizationId, ...person, teamIds: only(teams, allowed) });
	}
	const members = store.members(organizationId);
	const [owner] = members;
	if (owner === undefined) throw new Error(`${spec.name} has no people`);
	return { organization, owner, members, teams };
}

/** Two organizations that never see each other, one without the public API, and the keys. */
export function addOrganizations(store: Store): Tenants {
	const { north, south, closed } = demo.organizations;
	const tenants: Record<string, Tenant> & Tenants = {
		north: addOrganization(store, north),
		south: addOrganization(store, south),
		closed: addOrganization(store, closed),
	};
	const rows: KeyRow[] = Object.values(demo.keys);
	for (const { key, of, lacks, expiresAt = null, teams } of rows) {
		const tenant = tenants[of];
		store.addKey({
			key,
			organizationId: tenant?.organization.id ?? store.newId('nowhere'),
			ownerId: (tenant ?? tenants.north).owner.id,
			permissions: PERMISSIONS.filter((permission) => permission !== lacks),
			expiresAt,
			teamIds: only(tenant?.teams ?? [], teams),
		});
	}
	return tenants;
}
