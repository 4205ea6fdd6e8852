import { deepCopy } from 'n8n-workflow';

import { MemoryBudget } from '../../domain/memoryBudget';
import type { InspectionItem } from '../../output/inspectionOutput';
import type { Hint } from '../hints';

const TOO_MUCH =
	'These inspections take more memory than n8n can spare (1 GB). Read fewer at once: set a Limit or filters such as Created After, choose the output Simplified, which leaves the answers out, or use Loop Over Items';

/** Makes the items of a reading, once all readings are done. */
export type MakeItems = () => InspectionItem[];

/** What tells one reading from another. `client` stands for the credential. */
interface Asked {
	client: object;
	parameters: object;
}

/**
 * The readings of one run of the node. Items with the same credential and the same parameters share one reading. Another
 * run reads again, because a loop may wait for a change.
 */
export class SharedReadings {
	/** For the inspections of all readings. */
	readonly budget = new MemoryBudget(TOO_MUCH);
	private readonly readings = new Map<object, Map<string, Promise<MakeItems>>>();
	private repeated = 0;

	/** What `read` gives. Later items with the same parameters get copies, because the next node may change its items. */
	async get({ client, parameters }: Asked, read: () => Promise<MakeItems>): Promise<MakeItems> {
		const ofClient = this.readings.get(client) ?? new Map<string, Promise<MakeItems>>();
		this.readings.set(client, ofClient);
		const key = JSON.stringify(parameters);
		const known = ofClient.get(key);
		if (known === undefined) {
			const reading = read();
			ofClient.set(key, reading);
			return await reading;
		}
		this.repeated += 1;
		const make = await known;
		return () => make().map((item) => ({ ...item, json: deepCopy(item.json) }));
	}

	/** A hint where several items have shared a reading. */
	hints(): Hint[] {
		if (this.repeated === 0) return [];
		const items = this.repeated === 1 ? 'item asks' : 'items ask';
		return [
			{
				message: `${String(this.repeated)} ${items} for the same inspections as another item. They were read once, and come out for each of these items. To get them once, switch on Execute Once in the settings of this node.`,
				type: 'warning',
			},
		];
	}
}
