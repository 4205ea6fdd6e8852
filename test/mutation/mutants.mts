import { createHash } from 'node:crypto';

import ts from 'typescript';

import { readSource } from './copiedTree.mts';

/** One change of one place of a file that some test should notice. */
export interface Mutant {
	/** Path from the project's root. */
	file: string;
	start: number;
	end: number;
	/** Line of the place, from 1. */
	line: number;
	original: string;
	replacement: string;
}

const { SyntaxKind } = ts;

/** What stands for an operator in a mutant. */
const OPERATORS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
	[SyntaxKind.LessThanToken, '<='],
	[SyntaxKind.LessThanEqualsToken, '<'],
	[SyntaxKind.GreaterThanToken, '>='],
	[SyntaxKind.GreaterThanEqualsToken, '>'],
	[SyntaxKind.EqualsEqualsEqualsToken, '!=='],
	[SyntaxKind.ExclamationEqualsEqualsToken, '==='],
	[SyntaxKind.AmpersandAmpersandToken, '||'],
	[SyntaxKind.BarBarToken, '&&'],
	[SyntaxKind.QuestionQuestionToken, '&&'],
	[SyntaxKind.PlusToken, '-'],
	[SyntaxKind.MinusToken, '+'],
	[SyntaxKind.AsteriskToken, '/'],
	[SyntaxKind.SlashToken, '*'],
	[SyntaxKind.PercentToken, '*'],
	[SyntaxKind.PlusEqualsToken, '-='],
	[SyntaxKind.MinusEqualsToken, '+='],
]);

/** Every mutant of a file, in the order of its text. Imports, types and what only types need are left alone. */
export function mutantsOf(file: string, text: string): Mutant[] {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
	const mutants: Mutant[] = [];
	const visit = (node: ts.Node): void => {
		if (isLeftAlone(node)) return;
		for (const [place, replacement] of changesOf(node, source)) {
			const start = place.getStart(source);
			const { line } = source.getLineAndCharacterOfPosition(start);
			const original = text.slice(start, place.end);
			if (original === replacement) continue;
			mutants.push({ file, start, end: place.end, line: line + 1, original, replacement });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return mutants;
}

/** The file's text with the mutant in it. */
export function mutated(text: string, { start, end, replacement }: Mutant): string {
	return text.slice(0, start) + replacement + text.slice(end);
}

/** A mutant with a name that stays while its line does, whatever stands before it in the file. */
export interface KeyedMutant extends Mutant {
	key: string;
}

export function keyedMutantsOf(file: string): KeyedMutant[] {
	const text = readSource(file);
	return mutantsOf(file, text).map((mutant) => ({ ...mutant, key: keyOf(mutant, text) }));
}

/** Some of the mutants: the same ones for the same seed, whatever others there are. */
export function sampleOf(
	mutants: readonly KeyedMutant[],
	count: number,
	seed: string,
): KeyedMutant[] {
	return mutants
		.map((mutant) => ({ mutant, order: digestOf([seed, mutant.key]) }))
		.sort((a, b) => (a.order < b.order ? -1 : 1))
		.slice(0, count)
		.map(({ mutant }) => mutant);
}

function keyOf({ file, original, replacement, start }: Mutant, text: string): string {
	const lineStart = text.lastIndexOf('\n', start - 1) + 1;
	const lineEnd = text.indexOf('\n', start);
	const line = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd);
	return digestOf([file, line, String(start - lineStart), original, replacement]);
}

function digestOf(parts: readonly string[]): string {
	return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12);
}

function isLeftAlone(node: ts.Node): boolean {
	return (
		ts.isImportDeclaration(node) ||
		ts.isExportDeclaration(node) ||
		ts.isTypeNode(node) ||
		ts.isInterfaceDeclaration(node) ||
		ts.isTypeAliasDeclaration(node)
	);
}

type Change = readonly [place: ts.Node, replacement: string];

function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
	if (ts.isBinaryExpression(node)) return operatorChanges(node);
	if (ts.isIfStatement(node) || ts.isWhileStatement(node)) {
		return ts.isIfStatement(node)
			? [
					[node.expression, 'true'],
					[node.expression, 'false'],
				]
			: [[node.expression, 'false']];
	}
	if (ts.isConditionalExpression(node)) {
		return [
			[node.condition, 'true'],
			[node.condition, 'false'],
		];
	}
	if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
		return [[node, node.operand.getText(source)]];
	}
	return literalChanges(node) ?? statementChanges(node, source);
}

/** Undefined for what is no literal. */
function literalChanges(node: ts.Node): Change[] | undefined {
	if (ts.isNumericLiteral(node) && !isName(node))
		return [[node, otherNumber(Number(node.text.replaceAll('_', '')))]];
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
		return isName(node) ? [] : [[node, node.text === '' ? "'mutant'" : "''"]];
	}
	if (node.kind === SyntaxKind.TrueKeyword) return [[node, 'false']];
	if (node.kind === SyntaxKind.FalseKeyword) return [[node, 'true']];
	if (ts.isRegularExpressionLiteral(node)) return regexChanges(node);
	return undefined;
}

function operatorChanges(node: ts.BinaryExpression): Change[] {
	const replacement = OPERATORS.get(node.operatorToken.kind);
	return replacement === undefined ? [] : [[node.operatorToken, replacement]];
}

/** Anchors: a pattern without them finds its text anywhere. */
function regexChanges(node: ts.RegularExpressionLiteral): Change[] {
	const { text } = node;
	const changes: Change[] = [];
	if (text.startsWith('/^')) changes.push([node, `/${text.slice(2)}`]);
	const end = text.lastIndexOf('/');
	if (text.slice(0, end).endsWith('$') && !text.slice(0, end).endsWith('\\$'))
		changes.push([node, text.slice(0, end - 1) + text.slice(end)]);
	return changes;
}

function statementChanges(node: ts.Node, source: ts.SourceFile): Change[] {
	if (ts.isExpressionStatement(node)) return [[node, ';']];
	if (ts.isReturnStatement(node) && node.expression !== undefined) {
		const isConstant = ts.isIdentifier(node.expression) && node.expression.text === 'undefined';
		return isConstant ? [] : [[node, 'return undefined;']];
	}
	if (ts.isThrowStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node)) {
		return [[node, ';']];
	}
	if (ts.isPropertyAccessChain(node) && node.questionDotToken !== undefined) {
		return [[node.questionDotToken, '.']];
	}
	if (ts.isSpreadAssignment(node)) return [[node, '...{}']];
	if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) {
		const body = node.body.getText(source);
		return body === 'undefined' ? [] : [[node.body, 'undefined']];
	}
	return [];
}

/** Of a limit of thousands one more or less is none that anybody notices. */
function otherNumber(value: number): string {
	return String(value > 100 ? value * 2 : value + 1);
}

/** Texts of three words and more are for people: a test could only repeat them. */
const PROSE = /\S+\s+\S+\s+\S/;

/** What n8n shows of a field or an operation: words that a test could only repeat. */
const WORDS = /^(displayName|description|placeholder|hint|action|subtitle|notice|singular|plural)$/;

/** The name of a member, the text of a type, or words for people. */
function isName(node: ts.Node): boolean {
	const { parent } = node;
	if (ts.isLiteralTypeNode(parent) || (ts.isStringLiteral(node) && PROSE.test(node.text)))
		return true;
	if (!ts.isPropertyAssignment(parent)) return false;
	return parent.name === node || WORDS.test(parent.name.getText());
}
