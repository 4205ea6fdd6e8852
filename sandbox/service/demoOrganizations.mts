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
	/** The first person owns the keys. `teams` limits whose templates the person can use. */
	people: { name: string; email: string; teams?: string[]; deleted?: boolean }[];
}

/** What a key can do, if that isn't everything in organization north. */
interface Rights {
	/** Its organization. `nowhere` doesn't exist. */
	of?: string;
	/** The one permission that it lacks. */
	lacks?: string;
	expiresAt?: string;
	/** Names of the only teams that the key can access. */
	teams?: string[];
}

export type KeyName = keyof typeof demo.keys;

/** The API keys by name, one for every condition. They only open a sandbox. */
export const KEYS: Readonly<Record<KeyName, string>> = demo.keys;

/** An organization, its teams, and the owner of its keys, who is the default creator. */
export type Tenant = ReturnType<typeof addOrganization>;

export type Tenants = Record<keyof typeof demo.organizations, Tenant>;

/** IDs of the teams with these names. Without names null, which means all teams. */
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

/** Adds two organizations that never see each other, one without the public API, and the keys. */
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
