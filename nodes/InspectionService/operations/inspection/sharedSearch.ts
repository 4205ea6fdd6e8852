import { InputError } from '../../domain/inputError';
import { findInspections, type SearchResult } from '../../domain/list/findInspections';
import type { InspectionRecord } from '../../domain/list/inspectionPage';
import type { Include } from '../../domain/list/inspectionQuery';
import type { Timestamp } from '../../domain/timestamp';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';

/** The inspection that one item asks for. */
export interface WantedInspection {
	/** A GUID in its usual form. */
	readonly id: string;
	/** A time near which it was changed; undefined where none was given. */
	readonly changedAround: Timestamp | undefined;
	readonly includes: readonly Include[];
	/** Stands for the credential. */
	readonly client: InspectionServiceClient;
}

/** Requests of one search under way at once: as many as the transport sends at once (MAX_ACTIVE). */
const LANES = 10;

/** The searches of one run of the node. All items with the same credential and the same includes share one. */
export class SharedSearch {
	private readonly wanted: Promise<readonly WantedInspection[]>;
	private readonly searches = new Map<object, Map<string, Promise<SearchResult>>>();

	/** `wanted` are the inspections of all items; the search waits for them. */
	constructor(wanted: Promise<readonly WantedInspection[]>) {
		this.wanted = wanted;
	}

	/** Throws InputError where the service's list does not have the inspection. */
	async find(one: WantedInspection): Promise<InspectionRecord> {
		const result = await this.searchFor(one, await this.wanted);
		const inspection = result.found.get(one.id);
		if (inspection !== undefined) return inspection;
		throw notFound(one.id, result);
	}

	private searchFor(
		{ client, includes }: WantedInspection,
		wanted: readonly WantedInspection[],
	): Promise<SearchResult> {
		const ofClient = this.searches.get(client) ?? new Map<string, Promise<SearchResult>>();
		this.searches.set(client, ofClient);
		const key = includes.join();
		const alike = wanted.filter(
			(other) => other.client === client && other.includes.join() === key,
		);
		const search =
			ofClient.get(key) ??
			findInspections(new Map(alike.map(({ id, changedAround }) => [id, changedAround])), {
				source: client,
				includes,
				lanes: LANES,
			});
		ofClient.set(key, search);
		return search;
	}
}

function notFound(id: string, { lookedAt, oldest }: SearchResult): InputError {
	const many = lookedAt === 1 ? '1 inspection' : `${lookedAt.toLocaleString('en')} inspections`;
	const back = oldest === undefined ? '' : `, back to the one that was last updated at ${oldest}`;
	return new InputError(
		`Inspection: ${id} is not in the service's list. The whole list was searched (${many}${back}). Check the ID. An inspection that was deleted, or that this API key may not read, is not in the list`,
	);
}
