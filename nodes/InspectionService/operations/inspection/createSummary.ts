import type { CreatedInspection } from '../../domain/create/createdInspection';
import type { CreateRequest } from '../../domain/create/createRequest';
import { namedColumns } from '../../domain/create/unusedColumns';
import { textOf } from '../../domain/json';
import { ENCODING_CURE, hasLostCharacters } from '../../domain/misreadSheet';
import { type RowNumbers, rowsText } from '../../domain/rowNumbers';
import { listText } from '../../domain/shownText';
import type { Form } from '../../domain/template/form';
import type { Hint } from '../hints';
import type { DoneSoFar, Unit } from '../operation';
import type { CreateAttempts } from './madeInExecution';

/** Columns or questions that a hint names: some lines of the output panel. */
const SHOWN_NAMES = 20;
/** Different warnings that a hint repeats. The output items have all of them. */
const SHOWN_WARNINGS = 3;

/** What the hints need to know about a request. */
type SummedUpRequest = Omit<CreateRequest, 'body'> & { form: Form };

/** Collects what the output panel says about all items of one execution. */
export class CreateSummary {
	private readonly created: CreatedInspection[] = [];
	/** Columns that match no question, each with the form in which it was looked for first. */
	private readonly unmatched = new Map<string, Form>();
	private readonly ownColumns = new Set<string>();
	private readonly garbled = new Set<string>();
	private readonly itemCount: number;

	constructor(itemCount: number) {
		this.itemCount = itemCount;
	}

	addRequest(request: SummedUpRequest): void {
		const { sent, form, unmatched, ownColumns } = request;
		for (const column of unmatched) {
			if (!this.unmatched.has(column)) this.unmatched.set(column, form);
		}
		for (const column of ownColumns) this.ownColumns.add(column);
		for (const { question, value } of sent) {
			if (typeof value === 'string' && hasLostCharacters(value)) this.garbled.add(question.name);
		}
	}

	addCreated(inspection: CreatedInspection): void {
		this.created.push(inspection);
	}

	/**
	 * The hints: at most one of a kind for all items, and none where all is well. They do not use n8n's groups of hints
	 * (2.41), because a group shows its text only after a click, and older versions show each hint of a group.
	 */
	hints(): Hint[] {
		return [...this.createdHints(), ...this.columnHints(), ...this.garbledHints()];
	}

	private createdHints(): Hint[] {
		const hints: Hint[] = [];
		const add = (count: number, text: string, type: Hint['type']) => {
			if (count > 0) hints.push({ message: `${this.share(count)}: ${text}`, type });
		};
		const existed = this.created.filter((inspection) => inspection.already_existed);
		const compared = this.created.filter((inspection) => !inspection.already_existed);
		const incomplete = compared.filter(({ unstored_responses: left }) => left?.length);
		const uncompared = compared.filter(({ unstored_responses: left }) => left === null);
		const warned = this.created.filter(({ warnings }) => warnings.length > 0);
		const unstored = compared.flatMap(({ unstored_responses: left }) => left ?? []);
		const labels = new Set(unstored.map(({ label }) => `"${textOf(label) ?? ''}"`));
		const warnings = new Set(warned.flatMap((inspection) => inspection.warnings));
		add(incomplete.length, `the service did not store the answers to ${listOf(labels)}`, 'warning');
		add(
			uncompared.length,
			'the service’s response carried no answers, so that what was stored could not be checked',
			'info',
		);
		add(existed.length, 'existed already by their unique key and were not created again', 'info');
		add(warned.length, `warnings: ${warningsOf(warnings)}`, 'warning');
		return hints;
	}

	private columnHints(): Hint[] {
		const hints: Hint[] = [];
		if (this.unmatched.size > 0) {
			const first = [...this.unmatched].slice(0, SHOWN_NAMES);
			const shown = first.flatMap(([column, form]) => namedColumns(form, [column]));
			const listed = listText(shown, this.unmatched.size);
			const message = `No question of the template goes by ${listed}: not sent`;
			hints.push({ message, type: 'info' });
		}
		if (this.ownColumns.size > 0) {
			const message = `Not taken as answers, though questions are called so: ${listOf(this.ownColumns)}. The rows of Get Many have columns of their own under these names. Map the columns one by one to use them`;
			hints.push({ message, type: 'warning' });
		}
		return hints;
	}

	private garbledHints(): Hint[] {
		if (this.garbled.size === 0) return [];
		const names = new Set([...this.garbled].map((name) => `"${name}"`));
		return [{ message: `${ENCODING_CURE}. See the answers to ${listOf(names)}`, type: 'warning' }];
	}

	private share(count: number): string {
		return `${String(count)} of ${String(this.itemCount)} ${this.itemCount === 1 ? 'inspection' : 'inspections'}`;
	}
}

function listOf(names: ReadonlySet<string>): string {
	return listText([...names].slice(0, SHOWN_NAMES), names.size);
}

function warningsOf(warnings: ReadonlySet<string>): string {
	const shown = [...warnings].slice(0, SHOWN_WARNINGS);
	const more = warnings.size - shown.length;
	return `${shown.join(' · ')}${more > 0 ? ` · ${String(more)} more under "warnings"` : ''}`;
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
export function doneSoFar(attempts: CreateAttempts, numbers: RowNumbers): DoneSoFar {
	const numbersOf = (unit: Unit) => unit.map((item) => numbers.of(item));
	const madeBut = (told: ReadonlySet<number>) => ({
		created: attempts.created().map(numbersOf),
		inDoubt: attempts
			.inDoubt()
			.filter(([item]) => !told.has(item))
			.map(numbersOf),
		hasOtherRuns: attempts.hasOtherRuns(),
	});
	return {
		items: () => [...attempts.settled(), ...attempts.inDoubt()].flat(),
		isNothing: () => describeMade(madeBut(new Set())).length === 0,
		describe: (told) => describeMade(madeBut(told)),
	};
}
