import { composedText } from '../composedText';

/**
 * The names, each different from all others, in the same order: the second `IMG_0001.jpg` becomes `IMG_0001 (2).jpg`. A
 * name that stands for the first time stays as it is. Names that differ in upper and lower case only, or in their
 * Unicode form, count as the same, because Windows and macOS keep one file for them.
 */
export function uniqueFileNames(names: readonly string[]): string[] {
	const given = new Set(names.map(comparedName));
	const used = new Set<string>();
	/** For each name that came again: the number to go on with. */
	const nextNumbers = new Map<string, number>();
	return names.map((name) => {
		const compared = comparedName(name);
		let unique = name;
		if (used.has(compared)) {
			let number = nextNumbers.get(compared) ?? 2;
			do unique = numbered(name, number++);
			while (given.has(comparedName(unique)) || used.has(comparedName(unique)));
			nextNumbers.set(compared, number);
		}
		used.add(comparedName(unique));
		return unique;
	});
}

function comparedName(name: string): string {
	return composedText(name).toLowerCase();
}

/** Where the name has an extension, the number stands before it. */
function numbered(name: string, number: number): string {
	const dot = name.lastIndexOf('.');
	const end = dot > 0 ? dot : name.length;
	return `${name.slice(0, end)} (${String(number)})${name.slice(end)}`;
}
