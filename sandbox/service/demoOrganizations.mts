import type { Organization, Permission, Team, User } from './model.mts';
import type { Store } from './store.mts';

/** The API keys that every sandbox knows. They open nothing but a sandbox. */
export const KEYS = {
	/** Organization north, may do everything. */
	north: 'sandbox-key-north',
	/** Organization south, may do everything. */
	south: 'sandbox-key-south',
	/** North, expired. */
	expired: 'sandbox-key-expired',
	/** Belongs to no valid organization. */
	noOrganization: 'sandbox-key-no-organization',
	/** An organization without the public API feature. */
	noPublicApi: 'sandbox-key-no-public-api',
	/** North, may not create. */
	readOnly: 'sandbox-key-read-only',
	/** North, may not list. */
	noList: 'sandbox-key-no-list',
	/** North, lacks inspections:read: no file URLs. */
	noFiles: 'sandbox-key-no-files',
	/** North, may not read templates. */
	noTemplates: 'sandbox-key-no-templates',
	/** North, may name its first team only. */
	oneTeam: 'sandbox-key-one-team',
} as const;

export type KeyName = keyof typeof KEYS;

/** An organization with the people and teams that tests need by name. */
export interface Tenant {
	organization: Organization;
	/** Owner of the organization's keys: the default creator. */
	owner: User;
	members: User[];
	teams: Team[];
}

export interface Tenants {
	north: Tenant;
	south: Tenant;
}

const ALL: readonly Permission[] = [
	'templates:read',
	'inspections:create',
	'inspections:list',
	'inspections:read',
];
const without = (permission: Permission) => ALL.filter((other) => other !== permission);

function addNorth(store: Store): Tenant {
	const organization = store.addOrganization({ name: 'North Star Construction' });
	const organizationId = organization.id;
	const teams = ['Site Safety', 'Equipment'].map((name) => store.addTeam({ organizationId, name }));
	const person = (name: string, email: string) => store.addUser({ organizationId, name, email });
	const owner = person('Nora North', 'nora@north.example');
	const members = [
		owner,
		person('Ángel Núñez', 'angel@north.example'),
		person('Li Wei 李伟', 'li.wei@north.example'),
		person("Siobhán O'Brien", 'siobhan@north.example'),
		store.addUser({
			organizationId,
			name: 'Eddie Equipment',
			email: 'eddie@north.example',
			teamIds: teams.slice(1).map((team) => team.id),
		}),
	];
	store.addUser({
		organizationId,
		name: 'Former Employee',
		email: 'former@north.example',
		deleted: true,
	});
	return { organization, owner, members, teams };
}

function addSouth(store: Store): Tenant {
	const organization = store.addOrganization({
		name: 'Southern Foods',
		timeZone: 'Europe/Berlin',
	});
	const organizationId = organization.id;
	const teams = ['Kitchens'].map((name) => store.addTeam({ organizationId, name }));
	const owner = store.addUser({ organizationId, name: 'Sam South', email: 'sam@south.example' });
	const cook = store.addUser({ organizationId, name: 'Jürgen Koch', email: 'koch@south.example' });
	return { organization, owner, members: [owner, cook], teams };
}

/** Two organizations that never see each other, one without the public API, and a key for every condition. */
export function addOrganizations(store: Store): Tenants {
	const north = addNorth(store);
	const south = addSouth(store);
	const closed = store.addOrganization({ name: 'Closed Company', publicApi: false });
	const closedOwner = store.addUser({
		organizationId: closed.id,
		name: 'Cleo Closed',
		email: 'cleo@closed.example',
	});

	const northKey = (key: string, permissions: readonly Permission[] = ALL) => ({
		key,
		organizationId: north.organization.id,
		ownerId: north.owner.id,
		permissions,
	});
	store.addKey(northKey(KEYS.north));
	store.addKey({
		key: KEYS.south,
		organizationId: south.organization.id,
		ownerId: south.owner.id,
	});
	store.addKey({ ...northKey(KEYS.expired), expiresAt: '2024-12-31T23:59:59Z' });
	store.addKey({ ...northKey(KEYS.noOrganization), organizationId: store.newId('nowhere') });
	store.addKey({
		key: KEYS.noPublicApi,
		organizationId: closed.id,
		ownerId: closedOwner.id,
	});
	store.addKey(northKey(KEYS.readOnly, without('inspections:create')));
	store.addKey(northKey(KEYS.noList, without('inspections:list')));
	store.addKey(northKey(KEYS.noFiles, without('inspections:read')));
	store.addKey(northKey(KEYS.noTemplates, without('templates:read')));
	store.addKey({
		...northKey(KEYS.oneTeam),
		teamIds: north.teams.slice(0, 1).map((team) => team.id),
	});
	return { north, south };
}
