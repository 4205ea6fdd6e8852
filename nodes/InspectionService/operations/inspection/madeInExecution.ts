import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	type CreatedInspection,
	createdInspection,
	sameNameSince,
} from '../../domain/create/createdInspection';
import type { CreateRequest } from '../../domain/create/createRequest';
import { textOf } from '../../domain/json';
import type { InspectionPage, InspectionRecord } from '../../domain/list/inspectionPage';
import { MAX_PAGE_SIZE } from '../../domain/list/inspectionQuery';
import { isInDoubt, type RequestFailure } from '../../domain/request/requestFailure';
import { type RowNumbers, rowsText } from '../../domain/rowNumbers';
import { cleanLine, listText, shownTime } from '../../domain/shownText';
import { addSeconds, type Timestamp } from '../../domain/timestamp';
import type { InspectionServiceClient } from '../../transport/inspectionServiceClient';
import type { OperationSteps, Unit } from '../operation';

// Exactly once, the first half (docs/exactly-once.md): what this execution has made, and what may have been made. The
// other half, looking up a unique key, is keyLookUp.ts.

/** A request, and where it is sent. */
export type SendableRequest = Pick<CreateRequest, 'body' | 'sent'> & {
	service: { client: InspectionServiceClient };
};

/** Inspections that an error names: a person looks at one or two of them. */
const SHOWN_INSPECTIONS = 3;

/** What an earlier try has done with a unit. A create that the service refused is not kept, because it made nothing. */
type Attempt = { created: CreatedInspection } | { inDoubt: RequestFailure };

/**
 * The attempts at each item, by run of the node. With Retry On Fail n8n (2.41) hands the same item objects to each try.
 * After the last try n8n frees the items, and so the entries of this map go too.
 */
const attemptsOfItems = new WeakMap<INodeExecutionData, Map<string, Attempt>>();

/** The attempts of one run of the node. A unit that has one must not simply be sent again. */
export interface CreateAttempts {
	/** What an earlier try has done with a unit; undefined where the unit may be sent as if for the first time. */
	earlierOf(unit: Unit): Attempt | undefined;
	/** The units whose inspection is known: it was created, or it existed already by its unique key. */
	settled(): Unit[];
	/** The units that an inspection was created for. */
	created(): Unit[];
	/** The units whose create is in doubt. */
	inDoubt(): Unit[];
	/** Whether other runs of the execution have created something or have it in doubt: other nodes, rounds of a loop. */
	hasOtherRuns(): boolean;
	/** The ids of all inspections that were created. */
	createdIds(): ReadonlySet<string>;
	/** Calls `create`, and remembers the inspection, or the error of a create in doubt. Throws what `create` throws. */
	attempt(unit: Unit, create: () => Promise<CreatedInspection>): Promise<CreatedInspection>;
}

/** The attempts of the run that `context` belongs to. */
export function createAttempts(context: IExecuteFunctions, units: readonly Unit[]): CreateAttempts {
	const { attemptAt, remember, hasOtherRuns } = attemptsOfRun(context);
	const keepDoubt = (unit: Unit) => (error: unknown) => {
		if (isInDoubt(error)) remember(unit, { inDoubt: error });
		throw error;
	};
	const unitsWhere = (is: (attempt: Attempt) => boolean) =>
		units.filter((unit) => {
			const attempt = attemptAt(unit);
			return attempt !== undefined && is(attempt);
		});
	return {
		earlierOf: attemptAt,
		settled: () => unitsWhere((attempt) => 'created' in attempt),
		created: () => unitsWhere((attempt) => 'created' in attempt && isMade(attempt)),
		inDoubt: () => unitsWhere((attempt) => 'inDoubt' in attempt),
		hasOtherRuns,
		createdIds: () => new Set(units.flatMap((unit) => createdId(attemptAt(unit)))),
		async attempt(unit, create) {
			const created = await create().catch(keepDoubt(unit));
			remember(unit, { created });
			return created;
		},
	};
}

/**
 * The memory of one run, which all its tries share. A run is told by its execution, its node and its run index. So
 * another node, or the next round of a loop, creates inspections from the same items again.
 */
function attemptsOfRun(context: IExecuteFunctions) {
	const { $runIndex } = context.getWorkflowDataProxy(0);
	const run = JSON.stringify([context.getExecutionId(), context.getNode().id, $runIndex]);
	const input = context.getInputData();
	const runs = runsThatMade(context, run);
	return {
		hasOtherRuns: runs.hasOthers,
		// Every try makes the same units of the same items. So the first item is enough to tell a unit.
		attemptAt([item]: Unit): Attempt | undefined {
			const object = input[item];
			return object && attemptsOfItems.get(object)?.get(run);
		},
		remember([item]: Unit, attempt: Attempt): void {
			const object = input[item];
			if (object === undefined) return;
			const attempts = attemptsOfItems.get(object) ?? new Map<string, Attempt>();
			if (isMade(attempt)) runs.addThis();
			attemptsOfItems.set(object, attempts.set(run, attempt));
		},
	};
}

function createdId(attempt: Attempt | undefined): string[] {
	return attempt !== undefined && 'created' in attempt ? [String(attempt.created.id)] : [];
}

/** Whether an inspection was made, or may have been. One that existed already by its unique key was not. */
function isMade(attempt: Attempt): boolean {
	return 'inDoubt' in attempt || !attempt.created.already_existed;
}

/** The name under which n8n keeps with the execution which run has made something. It is written into the execution's data. */
const MADE_BY = 'inspectionServiceCreates';
const SEVERAL = 'several runs';

/**
 * Which runs of the execution have made something or have it in doubt: none, one, or several, over all nodes and all
 * rounds of their loops. n8n keeps the object of its context `flow` for as long as the execution lasts.
 */
function runsThatMade(context: IExecuteFunctions, run: string) {
	const flow: Record<string, unknown> = context.getContext('flow');
	return {
		hasOthers: () => flow[MADE_BY] !== undefined && flow[MADE_BY] !== run,
		addThis() {
			flow[MADE_BY] = flow[MADE_BY] === undefined || flow[MADE_BY] === run ? run : SEVERAL;
		},
	};
}

/**
 * Creates without a unique key. After a create in doubt it looks once for what may have come of it, and the error names
 * that. `known` gives the ids of inspections that this run has created for other items: the error leaves them out.
 */
export function createUnkeyed(
	{ service: { client }, body, sent }: SendableRequest,
	known: () => ReadonlySet<string>,
): () => Promise<CreatedInspection> {
	return async () => {
		const askedAt = performance.now();
		const explain = async (error: unknown): Promise<never> => {
			if (!isInDoubt(error)) throw error;
			const page = await newestOf(client).catch(() => undefined);
			if (page === undefined) throw error;
			const since = page.sentAt && secondsBefore(page.sentAt, performance.now() - askedAt);
			const found = since === undefined ? [] : sameNameSince(since, page.inspections, body);
			const others = found.filter(({ id }) => !known().has(id));
			throw error.with({ description: `${seenText(others)} ${error.facts.description}` });
		};
		return createdInspection(await client.createInspection(body).catch(explain), sent);
	};
}

/** A time of the service's clock, whose `Date` header leaves out the milliseconds. */
function secondsBefore(moment: Timestamp, ms: number): Timestamp | undefined {
	return addSeconds(moment, -Math.ceil(ms / 1_000) - 1);
}

async function newestOf(client: InspectionServiceClient): Promise<InspectionPage> {
	const newestFirst = { sortBy: 'created_at', sortOrder: 'desc' } as const;
	const asked = { ...newestFirst, page: 1, pageSize: MAX_PAGE_SIZE };
	return await client.list(asked);
}

function seenText(inspections: readonly InspectionRecord[]): string {
	if (inspections.length === 0) {
		return 'The service shows no such inspection yet; it may become visible later.';
	}
	const shown = inspections.slice(0, SHOWN_INSPECTIONS).map(({ id, name, created_at: at }) => {
		return `"${cleanLine(textOf(name) ?? '', 100)}" (${id}), created at ${shownTime(textOf(at) ?? '')}`;
	});
	return `The service shows ${listText(shown, inspections.length, '; ')}.`;
}

/** What a failed execution has made. n8n drops its output, but the inspections exist, or may exist. */
interface MadeInspections {
	/** The numbers of the rows of each inspection that was created. */
	created: readonly (readonly number[])[];
	/** The same of each inspection in doubt that the error does not name already. */
	inDoubt: readonly (readonly number[])[];
	/** Whether other runs of the execution have created something or have it in doubt. */
	hasOtherRuns: boolean;
}

/** Sentences about the inspections that a failed execution has made; none where it has made nothing. */
export function describeMade({ created, inDoubt, hasOtherRuns }: MadeInspections): string[] {
	const lines: string[] = [];
	if (created.length > 0) {
		lines.push(
			`${inspectionsText(created.length)} created in this execution (${rowsText(created.flat())}). Without a unique key another execution with the same rows creates them again. With On Error set to "Continue (using error output)", their output is kept.`,
		);
	}
	if (inDoubt.length > 0) {
		lines.push(
			`It is not known whether ${inspectionsText(inDoubt.length)} created in an earlier try (${rowsText(inDoubt.flat())}). Look in the service before you run these rows again.`,
		);
	}
	if (hasOtherRuns) {
		lines.push(
			'Inspections were created before, or may have been, by another node or another round of a loop in this execution.',
		);
	}
	return lines;
}

function inspectionsText(count: number): string {
	return `${String(count)} ${count === 1 ? 'inspection was' : 'inspections were'}`;
}

/** What an error tells of an execution that it has ended. */
export function doneSoFar(
	attempts: CreateAttempts,
	numbers: RowNumbers,
): NonNullable<OperationSteps['done']> {
	const numbersOf = (unit: Unit) => unit.map((item) => numbers.of(item));
	return (told) => ({
		items: [...attempts.settled(), ...attempts.inDoubt()].flat(),
		lines: describeMade({
			created: attempts.created().map(numbersOf),
			inDoubt: attempts
				.inDoubt()
				.filter(([item]) => !told.has(item))
				.map(numbersOf),
			hasOtherRuns: attempts.hasOtherRuns(),
		}),
	});
}
