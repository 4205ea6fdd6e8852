/** Some entries of a longer list: "a, b and 3 more". `total` is how many there are with those that are not shown. */
export function listText(shown: readonly string[], total: number): string {
	const more = total - shown.length;
	return `${shown.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}
