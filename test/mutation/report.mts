import { readFileSync, writeFileSync } from 'node:fs';

/** The part of Stryker's JSON report that is read here (its schema: mutation-testing-elements). */
interface Report {
	files: Record<string, { source: string; mutants: Mutant[] }>;
}

interface Mutant {
	mutatorName: string;
	replacement?: string;
	/** `NoCoverage`: no test runs the place. `Ignored`: by a comment in the code, or words for people. */
	status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'Ignored';
	location: { start: Position; end: Position };
}

/** Each from 1. */
type Position = Record<'line' | 'column', number>;

/**
 * What became of the mutants of a folder. `byTime`: those of the noticed that made a test last too long; `unnoticed`: a
 * line each, place and change.
 * @param files paths of the folder's files, as the report has them
 */
export function scoreOf(reportPath: string, files: readonly string[]) {
	const report: Report = JSON.parse(readFileSync(reportPath, 'utf8'));
	const mutants = files.flatMap((file) => {
		const { source = '', mutants = [] } = report.files[file] ?? {};
		return mutants.map((mutant) => ({ ...mutant, line: `${file}:${described(mutant, source)}` }));
	});
	const byTime = mutants.filter(({ status }) => status === 'Timeout').length;
	return {
		noticed: byTime + mutants.filter(({ status }) => status === 'Killed').length,
		byTime,
		unnoticed: mutants.filter(isUnnoticed).map(({ line }) => line),
	};
}

/** Takes the mutants that no test noticed out of a report, so that a run which begins with it tries them again. */
export function keepNoticed(reportPath: string): void {
	const report: Report = JSON.parse(readFileSync(reportPath, 'utf8'));
	for (const file of Object.values(report.files)) {
		file.mutants = file.mutants.filter((mutant) => !isUnnoticed(mutant));
	}
	writeFileSync(reportPath, JSON.stringify(report));
}

const isUnnoticed = ({ status }: Mutant) => status === 'Survived' || status === 'NoCoverage';

function described({ mutatorName, location, replacement }: Mutant, source: string): string {
	const { start, end } = location;
	const lines = source.split('\n');
	const offsetOf = ({ line, column }: Position) =>
		lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
	const original = source.slice(offsetOf(start), offsetOf(end)).replace(/\s+/g, ' ');
	return `${String(start.line)} ${mutatorName}: ${shortened(original)} → ${shortened(replacement ?? '')}`;
}

function shortened(code: string): string {
	return code.length > 80 ? `${code.slice(0, 79)}…` : code;
}
