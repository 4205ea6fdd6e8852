/**
 * A model of a sheet that n8n's Google Sheets node (2.41, version 4) updates. The node changes single cells, and
 * matches rows by a single column.
 */
type Item = Readonly<Record<string, unknown>>;

export class Sheet {
	private readonly names: string[] = [];
	private readonly rows: unknown[][] = [];

	/**
	 * Does what the node's Append or Update Row does with automatic mapping (GoogleSheet.js,
	 * prepareDataForUpdateOrUpsert). The node compares only the first matching column, ignores null and undefined, and
	 * adds missing columns. It looks up all keys before it writes, so it appends every row with a new key, even if two
	 * have the same key.
	 */
	appendOrUpdate(items: readonly Item[], [matchingColumn]: readonly [string, ...string[]]): void {
		for (const name of items.flatMap(Object.keys)) {
			if (!this.names.includes(name)) this.names.push(name);
		}
		const keyColumn = this.names.indexOf(matchingColumn);
		const keys = this.rows.map((row) => String(row[keyColumn]));
		for (const item of items) {
			const rowIndex = keys.indexOf(String(item[matchingColumn] ?? undefined));
			const row = this.rows[rowIndex] ?? [];
			if (rowIndex === -1) this.rows.push(row);
			for (const [column, name] of this.names.entries()) {
				const cell = item[name];
				if (cell !== undefined && cell !== null) row[column] = cell;
			}
		}
	}

	/** Returns the cells of a column, without the header. */
	column(name: string): unknown[] {
		return this.rows.map((row) => row[this.names.indexOf(name)]);
	}
}
