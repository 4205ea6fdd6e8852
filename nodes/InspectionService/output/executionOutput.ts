import { missingSection } from '../domain/row/instanceSection';
import { missingFields, type RowOptions, RowSheet } from '../domain/row/row';
import type { Form } from '../domain/template/form';
import { type OutputChoice, sheetAdvice } from './outputChoice';

/** What the outputs of one execution share: rows of all its items have one header, and hints look at all of them. */
export class ExecutionOutput {
	private readonly sheets = new Map<string, RowSheet>();
	/** For each choice of Fields: the keys of all items. */
	private readonly keys = new Map<string, { fields: readonly string[]; keys: Set<string> }>();
	/** For each section of Row per Instance Of: the templates of all inspections. */
	private readonly forms = new Map<string, Set<Form>>();
	/** What to do with the items. */
	readonly advice = new Set<string>();

	/** The sheet of all rows that are laid out alike. */
	sheetFor(options: RowOptions): RowSheet {
		const name = JSON.stringify(options);
		const sheet = this.sheets.get(name) ?? new RowSheet(options);
		this.sheets.set(name, sheet);
		return sheet;
	}

	/** The keys of all items that are cut to these fields, to be added to. */
	keysFor(fields: readonly string[]): Set<string> {
		const name = JSON.stringify(fields);
		const known = this.keys.get(name) ?? { fields, keys: new Set() };
		this.keys.set(name, known);
		return known.keys;
	}

	/** Notes in which templates a section is looked for. */
	addForms(section: string, forms: Iterable<Form>): void {
		this.forms.set(section, new Set([...(this.forms.get(section) ?? []), ...forms]));
	}

	/** Notes what to do with items that come out so. */
	advise(choice: OutputChoice): void {
		const advice = sheetAdvice(choice);
		if (advice !== undefined) this.advice.add(advice);
	}

	/** A sentence for each field or section that no item has, once all items were made. */
	problems(): string[] {
		return [
			...[...this.forms].flatMap(([section, forms]) => missingSection([...forms], section) ?? []),
			...[...this.keys.values()].flatMap(({ keys, fields }) => missingFields(keys, fields)),
		];
	}
}
