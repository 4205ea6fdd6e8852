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

/** Line and column, each from 1. */
interface Position {
	line: number;
	column: number;
}

/** What became of the mutants of a folder. */
export interface Score {
	noticed: number;
	/** Those of them that made a test last too long. */
	byTime: number;
	/** A line each: place, change. */
	unnoticed: string[];
}

/** @param files paths of the folder's files, as the report has them */
export function scoreOf(reportPath: string, files: readonly string[]): Score {
	const report: Report = JSON.parse(readFileSync(reportPath, 'utf8'));
	const score: Score = { noticed: 0, byTime: 0, unnoticed: [] };
	for (const [file, { source, mutants }] of Object.entries(report.files)) {
		if (!files.includes(file)) continue;
		for (const mutant of mutants) {
			if (mutant.status === 'Killed' || mutant.status === 'Timeout') score.noticed += 1;
			if (mutant.status === 'Timeout') score.byTime += 1;
			if (isUnnoticed(mutant)) score.unnoticed.push(`${file}:${described(mutant, source)}`);
		}
	}
	return score;
}

/** Takes the mutants that no test noticed out of a report, so that a run which begins with it tries them again. */
export function keepNoticed(reportPath: string): void {
	const report: Report = JSON.parse(readFileSync(reportPath, 'utf8'));
	for (const file of Object.values(report.files)) {
		file.mutants = file.mutants.filter((mutant) => !isUnnoticed(mutant));
	}
	writeFileSync(reportPath, JSON.stringify(report));
}

function isUnnoticed({ status }: Mutant): boolean {
	return status === 'Survived' || status === 'NoCoverage';
}

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
