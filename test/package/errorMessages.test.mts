/** Checks that every error has an instruction: its message or its description begins a sentence with one. */
import ts from 'typescript';
import { expect, it } from 'vitest';

import { statusFailure } from '#connector/domain/request/statusFailure.ts';
import { UnexpectedResponseError } from '#connector/domain/unexpectedResponse.ts';
import { nodeError } from '#connector/output/nodeError.ts';
import { SOURCES, walk } from '#harness/sourceTexts.mts';

/** Matches an instruction at the beginning of a sentence or of one of its parts. */
const INSTRUCTION =
	/(?:^|[.;:,…] +|\b(?:and|then|or|also) )(?:add|allow|ask|build|change|check|choose|clear|combine|compare|copy|correct|create|delete|do|enter|fill|filter|fix|format|get|give|increase|keep|leave|look|make|map|move|name|pick|put|read|remove|rename|request|run|save|search|see|select|send|set|shorten|show|split|take|try|turn|type|update|use|wait|write)\b/i;
/** Matches text that shows what would be right, which is also a fix: "is not a date and time such as 2026-01-31". */
const EXAMPLE = /\bsuch as\b|is not one of these|is not a whole number|\bneeds? the same\b/;

/** The declarations of constants and functions by name. A message often names its fix, such as `${HOW_TO_ALLOW}`. */
const DECLARED = new Map<string, ts.Node[]>();
for (const source of SOURCES) {
	walk(source, (node) => {
		const isDeclaration = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node);
		if (!isDeclaration || node.name === undefined || !ts.isIdentifier(node.name)) return;
		DECLARED.set(node.name.text, [...(DECLARED.get(node.name.text) ?? []), node]);
	});
}

/** How many names a message is followed through: a function that uses a constant. */
const MAX_DEPTH = 2;

/** Returns the fixed parts of a message, and of the constants and functions that it uses. `…` is a variable part. */
function textsIn(message: ts.Node, depth = 0): string {
	const parts: string[] = [];
	walk(message, (node) => {
		if (ts.isStringLiteralLike(node)) parts.push(node.text);
		if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) parts.push(node.text);
		if (!ts.isIdentifier(node) || depth === MAX_DEPTH) return;
		const all = DECLARED.get(node.text) ?? [];
		const own = all.filter((other) => other.getSourceFile() === message.getSourceFile());
		const isShared = /^[A-Z][A-Z\d_]+$/.test(node.text);
		for (const declared of own.length > 0 ? own : isShared ? all : [])
			parts.push(textsIn(declared, depth + 1));
	});
	return parts.join('… ');
}

const isInstructive = (text: string) => INSTRUCTION.test(text) || EXAMPLE.test(text);

const ERRORS = /^(?:Input|NodeOperation)Error$/;
/** The functions of `transport/download.ts` that create an error with a message. */
const CREATORS = /^(?:broken|tooLarge)$/;
/** Matches at least two fixed words. Other messages only pass on a message that is checked at its origin. */
const WORDS = /[a-z]+ [a-z]+/;

/** Whether a message is written in the code, or is a constant of the code. */
const isWritten = (message: ts.Node) =>
	ts.isStringLiteralLike(message) ||
	ts.isTemplateExpression(message) ||
	/^[A-Z][A-Z_]+$/.test(message.getText());

/** Whether a message ends with a variable, which can be its fix: `Date Format: "x" ${problem}.` */
const endsOpen = (message: ts.Node) =>
	ts.isTemplateExpression(message) && !/\w/.test(message.templateSpans.at(-1)?.literal.text ?? '');

/** Returns the value of a key if an object has it as a literal text. */
function textUnder(key: string, object: ts.ObjectLiteralExpression): ts.Expression | undefined {
	const found = object.properties.find((member) => member.name?.getText() === key);
	return found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

/** An error in the code: its message, and everything that n8n shows with it. */
interface ErrorText {
	message: ts.Node;
	whole: ts.Node;
}

/**
 * Returns the error that a node of the code creates: `new InputError("…")`, the problem of a value
 * (`{ value, message: "…" }`), or the facts of a failed request (`{ message: "…", description }`). A hint has a `type`.
 */
function errorIn(node: ts.Node): ErrorText | undefined {
	if (ts.isNewExpression(node) && ERRORS.test(node.expression.getText())) {
		const message = node.arguments?.find(isWritten);
		return message && { message, whole: node };
	}
	if (ts.isCallExpression(node) && CREATORS.test(node.expression.getText())) {
		const message = node.arguments.find(isWritten);
		return message && { message, whole: node };
	}
	if (!ts.isObjectLiteralExpression(node) || textUnder('type', node) !== undefined)
		return undefined;
	const message = textUnder('message', node);
	const isStatus = textUnder('status', node) !== undefined;
	return message && isWritten(message) && !isStatus ? { message, whole: node } : undefined;
}

it('every error has an instruction', () => {
	const found: ErrorText[] = [];
	for (const source of SOURCES) {
		walk(source, (node) => {
			const error = errorIn(node);
			if (error !== undefined && WORDS.test(textsIn(error.message))) found.push(error);
		});
	}
	expect(found.length).toBeGreaterThan(70);
	const unclear = found.filter(
		({ message, whole }) => !endsOpen(message) && !isInstructive(textsIn(whole)),
	);
	const texts = unclear.map(({ message }) => textsIn(message));
	// A person who stopped the execution needs no fix.
	expect(texts.filter((text) => !text.includes('execution was canceled'))).toEqual([]);
});

it('every status of every operation has a fix', () => {
	const calls = ['getTemplate', 'createInspection', 'listInspections', 'getFileUrl'] as const;
	const others = ['downloadFile', 'testCredential'] as const;
	const statuses = Array.from({ length: 200 }, (_, index) => 400 + index);
	const response = { headers: {}, body: '', receivedAt: 0, redact: (text: string) => text };
	const failures = [...calls, ...others].flatMap((operation) => {
		const info = { operation, baseUrl: 'https://host', path: '/v1' };
		return statuses.map((status) => statusFailure(info, { ...response, status }).facts);
	});
	expect(failures.filter(({ description }) => !INSTRUCTION.test(description))).toEqual([]);
});

it('an unexpected response has a fix', () => {
	const error = new UnexpectedResponseError('The service sent a list without inspections');
	const kind = { name: 'Inspection Service', type: 'inspectionService', typeVersion: 1 };
	const { description } = nodeError({ ...kind, id: '', position: [0, 0], parameters: {} }, error);
	expect(description).toMatch(INSTRUCTION);
});
