import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { CreatedInspection } from '../../domain/create/createdInspection';
import { isInDoubt, type RequestFailure } from '../../domain/request/requestFailure';
import { type RowNumbers, rowsText } from '../../domain/rowNumbers';
import type { Items, Progress } from '../operation';

// What this execution has made, and what may have been made (docs/exactly-once.md).

/** What a try has done with the items of a plan. A create that the service refused is not kept, because it made nothing. */
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
	private readonly plans: readonly Items[];
	private readonly input: readonly INodeExecutionData[];
	private readonly run: string;
	private readonly flow: Record<string, unknown>;

	constructor(context: IExecuteFunctions, plans: readonly Items[]) {
		const { $runIndex } = context.getWorkflowDataProxy(0);
		this.plans = plans;
		this.input = context.getInputData();
		this.run = JSON.stringify([context.getExecutionId(), context.getNode().id, $runIndex]);
		this.flow = context.getContext('flow');
	}

	/** Undefined where the items may be sent as if for the first time. */
	at([item]: Items): Attempt | undefined {
		const object = this.input[item];
		return object && attemptsOfItems.get(object)?.get(this.nameOf(item));
	}

	/** Calls `create`, and remembers the inspection, or the error of a create in doubt. Throws what `create` throws. */
	async attempt(
		items: Items,
		create: () => Promise<CreatedInspection>,
	): Promise<CreatedInspection> {
		const created = await create().catch((error: unknown) => {
			if (isInDoubt(error)) this.keep(items, { inDoubt: error });
			throw error;
		});
		this.keep(items, { created });
		return created;
	}

	createdIds(): ReadonlySet<string> {
		return new Set(this.tried().flatMap(({ created }) => (created ? [String(created.id)] : [])));
	}

	/** For the error that ends the execution; `reported` are items whose unknown outcome it names already. */
	progress(reported: ReadonlySet<number>, numbers: RowNumbers): Progress {
		const tried = this.tried();
		const made = tried.filter(({ created }) => created?.already_existed === false);
		const inDoubt = tried.filter((attempt) => attempt.inDoubt !== undefined);
		const untold = inDoubt.filter(({ items: [item] }) => !reported.has(item));
		const rowsOf = (some: readonly { items: Items }[]) =>
			some.map(({ items }) => items.map((item) => numbers.of(item)));
		const isByOthers = made.length + inDoubt.length === 0 && this.flow[HAS_MADE] !== undefined;
		return {
			items: tried.flatMap((attempt) => attempt.items),
			lines: [...describeMade(rowsOf(made), rowsOf(untold), isByOthers)],
		};
	}

	private tried() {
		return this.plans.flatMap((items) => {
			const attempt = this.at(items);
			return attempt === undefined ? [] : [{ items, ...attempt }];
		});
	}

	private nameOf(item: number): string {
		return `${String(item)} ${this.run}`;
	}

	private keep([item]: Items, attempt: Attempt): void {
		const object = this.input[item];
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
