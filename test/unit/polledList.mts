// A list of inspections that changes only when a test changes it, and functions that poll the list.
import { ChangePoller } from '#connector/domain/changes/changePoller.ts';
import {
	type Checkpoint,
	parseCheckpoint,
	serializeCheckpoint,
} from '#connector/domain/changes/checkpoint.ts';
import { firstCheckpoint } from '#connector/domain/changes/firstPoll.ts';
import { ServiceClock } from '#connector/domain/changes/serviceClock.ts';
import type { ChangeSource, Watch } from '#connector/domain/changes/watch.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import type { Timestamp } from '#connector/domain/timestamp.ts';
import type { SourceIdentity } from '#connector/trigger/checkpointStore.ts';
import { allowed, pageOf } from '#harness/listPage.mts';
import { PLAIN_WATCH } from '#harness/plainWatch.mts';
import { timeOf } from '#harness/times.mts';
import {
	InspectionList,
	type ListedInspection,
	type Precision,
} from '#sandbox/service/inspectionList.mts';
import { ticksOf } from '#sandbox/service/time.mts';

interface Row extends ListedInspection {
	/** The inspection as the service sends it. */
	readonly record: InspectionRecord & { readonly updated_at: Timestamp };
}

/** The maximum number of requests and polls in a test. A test that exceeds them counts as endless. */
const [MAX_REQUESTS, MAX_POLLS] = [2_000, 500];
/** How many polls in a row must find nothing until the list counts as completely read. */
const QUIET_POLLS = 3;
/** The coarsest precision that a service can have: it filters and compares times by whole seconds. */
const PRECISION: Precision = { filters: 's', times: 's' };

/** Identifies the trigger that polls the list. */
export const SOURCE: SourceIdentity = {
	nodeId: 'n1',
	nodeName: 'Trigger',
	baseUrl: 'https://service.example',
	event: 'updated',
	credentialId: 'c1',
	teamId: undefined,
	startFrom: undefined,
};

/** A list that is filtered by whole seconds, and records the queries it gets. */
export class PolledList {
	/** The checkpoint after the previous poll, or undefined before the first poll. */
	checkpoint: Checkpoint | undefined;
	readonly queries: InspectionPageQuery[] = [];
	/** Returns the response to a query. Tests replace this function to simulate an unusual service. */
	respond = (query: InspectionPageQuery): readonly InspectionRecord[] => this.page(query);
	/** Returns a number that sorts inspections with equal times. Default: IDs sort them. */
	tieOf: ((id: string, query: InspectionPageQuery) => number) | undefined;
	/** The time in the `Date` header of responses, or undefined if they don't have one. */
	date: Timestamp | undefined;
	/** The monotonic clock of n8n's process, in seconds. */
	seconds = 0;
	/** The date and time of n8n's clock. By default, it's later than all times in the list. */
	today = timeOf('2100-01-01T00:00:00Z');
	readonly clock = new ServiceClock({ now: () => this.seconds * 1000, today: () => this.today });
	private readonly rows = new Map<string, Row>();
	/** A snapshot of the rows, or undefined if a row has changed since. */
	private list: InspectionList<Row> | undefined;

	/** Adds inspections whose IDs are `name` and a number, such as `c0` and `c1`. */
	fill(name: string, count: number, timeOf: (index: number) => Timestamp): this {
		for (let index = 0; index < count; index++) this.put(`${name}${index}`, timeOf(index));
		return this;
	}

	put(id: string, updated_at: Timestamp, others: object = {}): void {
		const record = { id, updated_at, created_at: updated_at, ...others };
		const [createdAt, updatedAt] = [ticksOf(record.created_at), ticksOf(record.updated_at)];
		this.rows.set(id, { id, status: 'new', createdAt, updatedAt, record });
		this.list = undefined;
	}

	clear(): void {
		this.rows.clear();
		this.list = undefined;
	}

	lastUpdate(id: string): Timestamp | undefined {
		return this.rows.get(id)?.record.updated_at;
	}

	/** Returns `id@time` of each inspection whose ID begins with `c`, sorted. */
	versions(): string[] {
		const names = [...this.rows.values()].map(({ id, record }) => `${id}@${record.updated_at}`);
		return names.filter((name) => name.startsWith('c')).sort();
	}

	page(query: InspectionPageQuery): InspectionRecord[] {
		const { tieOf } = this;
		this.list ??= new InspectionList(this.rows.values());
		const tie = tieOf && (({ id }: Row) => tieOf(id, query));
		const rules = { precision: PRECISION, tieOf: tie };
		return pageOf(this.list, query, rules).map(({ record }) => record);
	}
}

/** The result of a poll: for example, `id@time` of each emitted version, and whether there are more. */
export type Polled = Awaited<ReturnType<typeof poll>>;

interface PollOptions extends Partial<Watch> {
	/** How many requests a poll has time for. */
	requests?: number;
	/** How many changes a poll has time to render. */
	rendered?: number;
}

/** Polls a list once. The poll continues from the list's checkpoint, which is converted to JSON and back, as in n8n. */
export async function poll(
	list: PolledList,
	{ requests = Infinity, rendered = Infinity, ...others }: PollOptions = {},
) {
	const askedBefore = list.queries.length;
	const asked = () => list.queries.length - askedBefore;
	const source: ChangeSource = {
		list: async (query) => {
			if (asked() > MAX_REQUESTS) throw new Error('the poll has no end');
			list.queries.push(allowed(query));
			return await Promise.resolve({ inspections: list.respond(query), sentAt: list.date });
		},
		clock: list.clock,
		hasTimeLeft: () => asked() < requests,
	};
	const from = list.checkpoint && parseCheckpoint(JSON.parse(textOf(list.checkpoint)));
	if (from === undefined && list.checkpoint) throw new Error('the checkpoint is not readable');
	const watch = { ...PLAIN_WATCH, ...others };
	const warned: string[] = [];
	const checkpoint = from ?? (await firstCheckpoint(new Set(), watch, source, warned));
	const poller = new ChangePoller(checkpoint, watch, source);
	const changes = from === undefined ? [] : await poller.read();
	const inTime = changes.slice(0, rendered);
	const changed = poller.commit(inTime.map(({ inspection }) => inspection.isEmpty !== true));
	if (poller.failure !== undefined) throw new Error(String(poller.failure));
	const warnings = [...warned, ...poller.warnings];
	list.checkpoint = checkpoint;
	const emitted = changed.map(({ inspection, stamp }) => `${inspection.id}@${stamp}`);
	const hasMore = checkpoint.resumeAt !== undefined;
	return { emitted, warnings, checkpoint, requests: asked(), hasMore };
}

/** Polls a list until several polls in a row find nothing. `minutes`: whether a minute passes between two polls. */
export async function drained(
	list: PolledList,
	{ minutes = false, ...options }: PollOptions & { minutes?: boolean } = {},
) {
	const polls: Polled[] = [];
	for (let quiet = 0; quiet < QUIET_POLLS; ) {
		if (polls.length > MAX_POLLS) throw new Error('the trigger never comes to rest');
		if (minutes) list.seconds += 60;
		const polled = await poll(list, options);
		polls.push(polled);
		quiet = polled.hasMore || polled.emitted.length > 0 ? 0 : quiet + 1;
	}
	return {
		polls,
		emitted: polls.flatMap(({ emitted }) => emitted),
		warnings: polls.flatMap(({ warnings }) => warnings),
		requests: polls.reduce((sum, { requests }) => sum + requests, 0),
	};
}

/** Returns a checkpoint as the text that n8n saves. */
export function textOf(checkpoint: Checkpoint): string {
	return JSON.stringify(serializeCheckpoint(checkpoint));
}
