/**
 * The style of a page that looks like a spreadsheet program: it has column letters and row numbers, and cuts long cells
 * off.
 */
const STYLE = `
	body { margin: 0; font: 14px Arial, 'Liberation Sans', sans-serif; color: #202124; background: #fff; }
	h1 { margin: 0; padding: 14px 16px; font-size: 16px; background: #f1f3f4; border-bottom: 1px solid #dadce0; }
	table { border-collapse: collapse; margin-bottom: 16px; }
	th { background: #f1f3f4; font-weight: normal; color: #5f6368; }
	td, th { border: 1px solid #dadce0; padding: 5px 8px; height: 17px; max-width: 200px; overflow: hidden; white-space: nowrap; }
	tr:nth-child(2) td { font-weight: bold; }
	.narrow td { max-width: 86px; }
	.wrong { outline: 2px solid #d93025; outline-offset: -2px; background: #fce8e6; }
	.fixed { outline: 2px solid #188038; outline-offset: -2px; background: #e6f4ea; }
`;

const escape = (text: string) =>
	text.replaceAll(/[&<>"]/g, (character) => `&#${String(character.charCodeAt(0))};`);

/** Returns a column's letter, "A" for 0. Supports up to 26 columns. */
const letter = (column: number) => String.fromCharCode(65 + column);

/** A cell to highlight. Rows and columns are counted from 0. */
interface Mark {
	row: number;
	column: number;
	as: 'wrong' | 'fixed';
}

/**
 * Returns a sheet as an HTML page. @param breakAfter the number of columns side by side; the remaining columns come
 * below
 */
export function sheetPage(
	title: string,
	rows: readonly (readonly string[])[],
	{ mark, breakAfter = Infinity }: { mark?: Mark; breakAfter?: number } = {},
): string {
	const columns = rows[0]?.length ?? 0;
	const tables: string[] = [];
	for (let first = 0; first < columns; first += breakAfter) {
		const shown = Array.from(
			{ length: Math.min(breakAfter, columns - first) },
			(_, index) => first + index,
		);
		const letters = shown.map((column) => `<th>${letter(column)}</th>`).join('');
		const lines = rows.map((cells, index) => {
			const cellOf = (column: number) => {
				const style = mark?.row === index && mark.column === column ? mark.as : '';
				return `<td class="${style}">${escape(cells[column] ?? '')}</td>`;
			};
			return `<tr><th>${String(index + 1)}</th>${shown.map(cellOf).join('')}</tr>`;
		});
		tables.push(`<table><tr><th></th>${letters}</tr>${lines.join('')}</table>`);
	}
	return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><h1>${escape(title)}</h1><div class="${breakAfter < columns ? 'narrow' : ''}">${tables.join('')}</div>`;
}
