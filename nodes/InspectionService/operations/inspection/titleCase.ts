/** `in_progress` as the editor shows it: In Progress. */
export function titleCase(value: string): string {
	return value
		.split('_')
		.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
		.join(' ');
}
