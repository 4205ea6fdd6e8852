import { forbidden, unauthorized } from './serviceError.mts';
import type { Store } from './store.mts';
import type { ServiceClock } from './time.mts';

/** The key that a request was sent with, the key's organization, and the key's owner. */
export type Caller = ReturnType<typeof authenticate>;

/**
 * Checks the header access-token as the OpenAPI document says: responds with 401 without a valid key, and with 403 if
 * the key lacks the permission.
 */
export function authenticate(
	header: string | string[] | undefined,
	permission: string,
	{ store, clock }: { store: Store; clock: ServiceClock },
) {
	const key = typeof header === 'string' ? store.keys.get(header) : undefined;
	if (key === undefined) throw unauthorized();
	if (key.expiresAt !== null && key.expiresAt <= clock.now()) throw unauthorized();
	const organization = store.organizations.get(key.organizationId);
	if (organization?.publicApi !== true) throw unauthorized();
	const owner = store.users.get(key.ownerId);
	if (owner === undefined) throw unauthorized();
	if (!key.permissions.includes(permission)) {
		throw forbidden('The key is not permitted to use this operation');
	}
	return { key, organization, owner };
}
