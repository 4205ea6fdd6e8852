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
	/** The first owns the keys. `teams` names the only ones whose templates the person may use. */
	people: { name: string; email: string; teams?: string[]; deleted?: boolean }[];
}

/** What a key may do where it is not everything in organization north. */
interface Rights {
	/** Its organization; `nowhere` is one that does not exist. */
	of?: string;
	/** The one permission that it lacks. */
	lacks?: string;
	expiresAt?: string;
	/** Names of the only teams that it may name. */
	teams?: string[];
}

export type KeyName = keyof typeof demo.keys;

/** The text of every API key, by its name: one for every condition. They open nothing but a sandbox. */
export const KEYS: Readonly<Record<KeyName, string>> = demo.keys;

/** An organization, its teams, and the owner of its keys: the default creator. */
export type Tenant = ReturnType<typeof addOrganization>;

export type Tenants = Record<keyof typeof demo.organizations, Tenant>;

/** Ids of the teams with these names; null, which means all teams, without names. */
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

/** Two organizations that never see each other, one without the public API, and the keys. */
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
