import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { CreatedInspection } from '../../domain/create/createdInspection';
import { isInDoubt, type RequestFailure } from '../../domain/request/requestFailure';
import { type RowNumbers, rowsText } from '../../domain/rowNumbers';
import type { OperationSteps, Unit } from '../operation';

// What this execution has made, and what may have been made (docs/exactly-once.md).

/** What a try has done with a unit. A create that the service refused is not kept, because it made nothing. */
interface Attempt {
	created?: CreatedInspection;
	inDoubt?: RequestFailure;
}

/**
 * The attempts at each item, by its place and the run of the node. With Retry On Fail n8n (2.41) hands the same objects to
 * each try. One object may stand at several places, as behind a Merge of two ways from one node.
 */
const attemptsOfItems = new WeakMap<INodeExecutionData, Map<string, Attempt>>();

/** The name under which n8n keeps, for as long as the execution lasts, that one of its nodes has made something. */
const HAS_MADE = 'inspectionServiceCreates';

/** The attempts of one run of the node, which all its tries share. The next round of a loop has its own. */
export class Attempts {
	private readonly units: readonly Unit[];
	private readonly items: readonly INodeExecutionData[];
	private readonly run: string;
	private readonly flow: Record<string, unknown>;

	constructor(context: IExecuteFunctions, units: readonly Unit[]) {
		const { $runIndex } = context.getWorkflowDataProxy(0);
		this.units = units;
		this.items = context.getInputData();
		this.run = JSON.stringify([context.getExecutionId(), context.getNode().id, $runIndex]);
		this.flow = context.getContext('flow');
	}

	/** Undefined where the unit may be sent as if for the first time. */
	at([item]: Unit): Attempt | undefined {
		const object = this.items[item];
		return object && attemptsOfItems.get(object)?.get(this.nameOf(item));
	}

	/** Calls `create`, and remembers the inspection, or the error of a create in doubt. Throws what `create` throws. */
	async attempt(unit: Unit, create: () => Promise<CreatedInspection>): Promise<CreatedInspection> {
		const created = await create().catch((error: unknown) => {
			if (isInDoubt(error)) this.keep(unit, { inDoubt: error });
			throw error;
		});
		this.keep(unit, { created });
		return created;
	}

	createdIds(): ReadonlySet<string> {
		return new Set(this.tried().flatMap(({ created }) => (created ? [String(created.id)] : [])));
	}

	/** What an error tells that ends the execution; `told` are items whose doubt it names already. */
	done(
		told: ReadonlySet<number>,
		numbers: RowNumbers,
	): ReturnType<NonNullable<OperationSteps['done']>> {
		const tried = this.tried();
		const made = tried.filter(({ created }) => created?.already_existed === false);
		const inDoubt = tried.filter((attempt) => attempt.inDoubt !== undefined);
		const untold = inDoubt.filter(({ unit: [item] }) => !told.has(item));
		const rowsOf = (some: readonly { unit: Unit }[]) =>
			some.map(({ unit }) => unit.map((item) => numbers.of(item)));
		const isByOthers = made.length + inDoubt.length === 0 && this.flow[HAS_MADE] !== undefined;
		return {
			items: tried.flatMap(({ unit }) => unit),
			lines: [...describeMade(rowsOf(made), rowsOf(untold), isByOthers)],
		};
	}

	private tried() {
		return this.units.flatMap((unit) => {
			const attempt = this.at(unit);
			return attempt === undefined ? [] : [{ unit, ...attempt }];
		});
	}

	private nameOf(item: number): string {
		return `${String(item)} ${this.run}`;
	}

	private keep([item]: Unit, attempt: Attempt): void {
		const object = this.items[item];
		if (object === undefined) return;
		const attempts = attemptsOfItems.get(object) ?? new Map<string, Attempt>();
		attemptsOfItems.set(object, attempts.set(this.nameOf(item), attempt));
		// One that existed already by its unique key was not made.
		if (attempt.created?.already_existed !== true) this.flow[HAS_MADE] = true;
	}
}

/** What a failed execution has made, by rows. `isByOthers` where only other runs of the execution have made something. */
export function* describeMade(
	created: readonly (readonly number[])[],
	inDoubt: readonly (readonly number[])[],
	isByOthers: boolean,
): Generator<string> {
	if (created.length > 0) {
		yield `${inspectionsText(created.length)} created in this execution (${rowsText(created.flat())}). Without a unique key another execution with the same rows creates them again. With On Error set to "Continue (using error output)", their output is kept.`;
	}
	if (inDoubt.length > 0) {
		yield `It is not known whether ${inspectionsText(inDoubt.length)} created in an earlier try (${rowsText(inDoubt.flat())}). Look in the service before you run these rows again.`;
	}
	if (isByOthers) {
		yield 'Inspections were created before, or may have been, by another node or another round of a loop in this execution.';
	}
}

function inspectionsText(count: number): string {
	return `${String(count)} ${count === 1 ? 'inspection was' : 'inspections were'}`;
}
