/** A sheet as n8n's Google Sheets node (2.41, version 4) updates it: cell by cell, matched by a single column. */
type Item = Readonly<Record<string, unknown>>;

export class Sheet {
	private readonly names: string[] = [];
	private readonly rows: unknown[][] = [];

	/**
	 * Append or Update Row with automatic mapping. Like the node (GoogleSheet.js, prepareDataForUpdateOrUpsert), it
	 * compares only the first matching column, skips null and undefined, and adds columns that the sheet doesn't have.
	 * It also looks up all keys before it writes, so it always appends rows with a new key.
	 */
	appendOrUpdate(items: readonly Item[], [matchingColumn]: readonly [string, ...string[]]): void {
		for (const name of items.flatMap(Object.keys)) {
			if (!this.names.includes(name)) this.names.push(name);
		}
		const keyPlace = this.names.indexOf(matchingColumn);
		const keys = this.rows.map((row) => String(row[keyPlace]));
		for (const item of items) {
			const place = keys.indexOf(String(item[matchingColumn] ?? undefined));
			const row = this.rows[place] ?? [];
			if (place === -1) this.rows.push(row);
			for (const [column, name] of this.names.entries()) {
				const cell = item[name];
				if (cell !== undefined && cell !== null) row[column] = cell;
			}
		}
	}

	/** The cells of a column, from the first row after the header. */
	column(name: string): unknown[] {
		return this.rows.map((row) => row[this.names.indexOf(name)]);
	}
}
