import { type Organization, type Permission, PERMISSIONS, type Team, type User } from './model.mts';
import type { Store } from './store.mts';

interface Person {
	name: string;
	email: string;
	/** Names of the only teams whose templates the person may use. */
	teams?: string[];
	deleted?: boolean;
}

interface OrganizationRow {
	name: string;
	timeZone?: string;
	publicApi?: boolean;
	teams: string[];
	/** The first owns the keys. */
	people: [Person, ...Person[]];
}

const ORGANIZATIONS = {
	north: {
		name: 'North Star Construction',
		teams: ['Site Safety', 'Equipment'],
		people: [
			{ name: 'Nora North', email: 'nora@north.example' },
			{ name: 'Ángel Núñez', email: 'angel@north.example' },
			{ name: 'Li Wei 李伟', email: 'li.wei@north.example' },
			{ name: "Siobhán O'Brien", email: 'siobhan@north.example' },
			{ name: 'Eddie Equipment', email: 'eddie@north.example', teams: ['Equipment'] },
			{ name: 'Former Employee', email: 'former@north.example', deleted: true },
		],
	},
	south: {
		name: 'Southern Foods',
		timeZone: 'Europe/Berlin',
		teams: ['Kitchens'],
		people: [
			{ name: 'Sam South', email: 'sam@south.example' },
			{ name: 'Jürgen Koch', email: 'koch@south.example' },
		],
	},
	closed: {
		name: 'Closed Company',
		publicApi: false,
		teams: [],
		people: [{ name: 'Cleo Closed', email: 'cleo@closed.example' }],
	},
} satisfies Record<string, OrganizationRow>;

interface KeyRow {
	key: string;
	of: keyof typeof ORGANIZATIONS | 'nowhere';
	/** The one permission that it lacks. */
	lacks?: Permission;
	expiresAt?: string;
	/** Names of the only teams that it may name. */
	teams?: string[];
}

/** The API keys that every sandbox knows, one for every condition. They open nothing but a sandbox. */
const KEY_ROWS = {
	north: { key: 'sandbox-key-north', of: 'north' },
	south: { key: 'sandbox-key-south', of: 'south' },
	expired: { key: 'sandbox-key-expired', of: 'north', expiresAt: '2024-12-31T23:59:59Z' },
	noOrganization: { key: 'sandbox-key-no-organization', of: 'nowhere' },
	noPublicApi: { key: 'sandbox-key-no-public-api', of: 'closed' },
	readOnly: { key: 'sandbox-key-read-only', of: 'north', lacks: 'inspections:create' },
	noList: { key: 'sandbox-key-no-list', of: 'north', lacks: 'inspections:list' },
	/** No file URLs. */
	noFiles: { key: 'sandbox-key-no-files', of: 'north', lacks: 'inspections:read' },
	noTemplates: { key: 'sandbox-key-no-templates', of: 'north', lacks: 'templates:read' },
	oneTeam: { key: 'sandbox-key-one-team', of: 'north', teams: ['Site Safety'] },
} satisfies Record<string, KeyRow>;

export type KeyName = keyof typeof KEY_ROWS;

/** The text of every key, by its name. */
export const KEYS: Readonly<Record<KeyName, string>> = Object.assign(
	{},
	...Object.entries(KEY_ROWS).map(([name, { key }]) => ({ [name]: key })),
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

export interface Tenants {
	north: Tenant;
	south: Tenant;
}

function addOrganization(store: Store, row: OrganizationRow): Tenant {
	const { teams: teamNames, people, ...spec } = row;
	const organization = store.addOrganization(spec);
	const organizationId = organization.id;
	const teams = teamNames.map((name) => store.addTeam({ organizationId, name }));
	const add = ({ teams: only, ...person }: Person) =>
		store.addUser({ organizationId, ...person, teamIds: only ? idsOf(teams, only) : null });
	const [first, ...others] = people;
	const owner = add(first);
	const members = [owner, ...others.map(add)].filter(({ deleted }) => !deleted);
	return { organization, owner, members, teams };
}

const idsOf = (teams: readonly Team[], names: readonly string[]): string[] =>
	teams.filter(({ name }) => names.includes(name)).map(({ id }) => id);

/** Two organizations that never see each other, one without the public API, and a key for every condition. */
export function addOrganizations(store: Store): Tenants {
	const tenants = {
		north: addOrganization(store, ORGANIZATIONS.north),
		south: addOrganization(store, ORGANIZATIONS.south),
		closed: addOrganization(store, ORGANIZATIONS.closed),
	};
	const rows: KeyRow[] = Object.values(KEY_ROWS);
	for (const { key, of, lacks, expiresAt = null, teams } of rows) {
		const { organization, owner } = tenants[of === 'nowhere' ? 'north' : of];
		store.addKey({
			key,
			organizationId: of === 'nowhere' ? store.newId('nowhere') : organization.id,
			ownerId: owner.id,
			permissions: PERMISSIONS.filter((permission) => permission !== lacks),
			expiresAt,
			teamIds: teams ? idsOf(store.teams(organization.id), teams) : null,
		});
	}
	return tenants;
}
