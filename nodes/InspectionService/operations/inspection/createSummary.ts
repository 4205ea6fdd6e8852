import type { NodeExecutionHint } from 'n8n-workflow';

import type { CreatedInspection } from '../../domain/create/createdInspection';
import { rowsText } from '../../domain/rowProblems';

/** Columns named in the hint; a sheet may have many more than questions. */
const SHOWN_COLUMNS = 20;

/** What of the items is not sent, as a message names it. */
export interface UnusedColumns {
	/** Columns that match no question. */
	unmatched: readonly string[];
	/** Columns for fields of the inspection that are empty, each with its cure; see `unusedDetails`. */
	unusedDetails: readonly string[];
}

/** What the items of one execution amount to, for the output panel. */
export class CreateSummary {
	private created = 0;
	private incomplete = 0;
	private uncompared = 0;
	private warned = 0;
	private existed = 0;
	private readonly unmatched = new Set<string>();
	private readonly unusedDetails = new Set<string>();

	constructor(private readonly itemCount: number) {}

	addUnused({ unmatched, unusedDetails }: UnusedColumns): void {
		for (const column of unmatched) this.unmatched.add(column);
		for (const detail of unusedDetails) this.unusedDetails.add(detail);
	}

	addCreated(inspection: CreatedInspection): void {
		const { unstored_responses: unstored, warnings, already_existed: existed } = inspection;
		this.created += 1;
		if (warnings.length > 0) this.warned += 1;
		if (existed) this.existed += 1;
		else if (unstored === null) this.uncompared += 1;
		else if (unstored.length > 0) this.incomplete += 1;
	}

	/** At most one hint of a kind, none where all is well. */
	hints(): NodeExecutionHint[] {
		const hints: NodeExecutionHint[] = [];
		const add = (count: number, text: string, type: NodeExecutionHint['type']) => {
			if (count > 0) hints.push({ message: `${this.share(count)}: ${text}`, type });
		};
		add(this.incomplete, 'answers were not stored; see unstored_responses', 'warning');
		add(
			this.uncompared,
			'the service’s answer carried no responses, so that what was stored could not be checked',
			'info',
		);
		add(this.existed, 'existed already by their unique key and were not created again', 'info');
		add(this.warned, 'the service gave warnings; see warnings', 'warning');
		if (this.unmatched.size > 0) {
			hints.push({ message: unmatchedHint([...this.unmatched]), type: 'info' });
		}
		if (this.unusedDetails.size > 0) {
			const fields = [...this.unusedDetails].join(', ');
			hints.push({
				message: `Automatic mapping takes answers only. To use these columns too, enter under Additional Fields: ${fields}`,
				type: 'info',
			});
		}
		return hints.map((hint) => ({ ...hint, location: 'outputPane' }));
	}

	private share(count: number): string {
		return `${String(count)} of ${String(this.itemCount)} ${this.itemCount === 1 ? 'inspection' : 'inspections'}`;
	}
}

function unmatchedHint(columns: string[]): string {
	const shown = columns.slice(0, SHOWN_COLUMNS);
	const more = columns.length - shown.length;
	const list = `${shown.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
	return `No question of the template goes by ${list}: not sent`;
}

/** What a failed execution leaves behind: n8n shows no output of it, but the inspections are there. */
export function describeCreated(itemIndexes: readonly number[]): string {
	const count = itemIndexes.length;
	const verb = count === 1 ? 'inspection was' : 'inspections were';
	return `${String(count)} ${verb} created in this execution (${rowsText(itemIndexes)}). Without a unique key another execution with the same rows creates them again. With On Error set to "Continue (using error output)", their output is kept.`;
}
