/** Loads the workflows of examples/ and fills in their placeholders, as a user would. */
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isRecord, type JsonRecord, textOf } from '#sandbox/json.mts';
import { PROJECT } from '#scripts/projectPaths.mts';
import type { SavedCredential, WorkflowFile } from './n8nClient.mts';
import { recordIn } from './n8nExecution.mts';
import { PACKAGE_NAME } from './packedConnector.mts';

const EXAMPLES = join(PROJECT, 'examples');

/** Names of the examples' nodes for tests and the demo. */
export const EXAMPLE_NODES = {
	start: 'When clicking ‘Execute workflow’',
	rows: 'Rows of the sheet',
	create: 'Create inspections',
	trigger: 'Inspection completed',
	getMany: 'Get inspections',
	createOne: 'Create inspection',
	answers: 'Get answers',
	table: 'Store the answers',
} as const;

/** The files that the examples read and write in n8n's files folder. */
export const EXAMPLE_SHEETS = {
	input: 'site-safety.xlsx',
	made: 'inspections-made.xlsx',
	findings: 'site-findings.csv',
	findingsMade: 'findings-made.xlsx',
	european: 'visites.csv',
	europeanMade: 'visits-made.xlsx',
	completed: 'completed-inspections.csv',
	all: 'inspections.xlsx',
} as const;

/** Values that a user enters after importing an example. If a value is omitted, the example's placeholder stays. */
export interface ExampleInput {
	/** A saved credential of the connector. */
	credential: SavedCredential;
	/** The folder that n8n's file nodes can access. */
	filesFolder: string;
	/** The chat's incoming webhook. */
	chatUrl?: string;
	/** A saved SMTP credential. */
	mailAccount?: SavedCredential;
	/** A saved credential of n8n's Postgres node. */
	database?: SavedCredential;
	/** A saved credential of n8n's OpenAI chat model. */
	model?: SavedCredential;
	/** A saved Basic Auth credential for signing in to a form. */
	formLogin?: SavedCredential;
}

// Placeholders in the examples: the files folder of n8n's Docker image, and a reserved web address.
const FILES_PLACEHOLDER = '/home/node/.n8n-files';
const CHAT_PLACEHOLDER = 'https://chat.example.com/hooks/your-webhook';

/**
 * The poll interval of imported triggers. n8n's shortest ordinary interval is a minute, which is too long for the demo
 * and the tests.
 */
export const POLL_SECONDS = 10;
/**
 * The value of the trigger's option Wait Until Unchanged. Zero, so that the demo and the tests don't wait.
 * test/e2e/trigger covers waiting.
 */
const SETTLE_MINUTES = 0;

/** Reads an example from examples/ and replaces its placeholders with the user's values. */
export async function loadExample(name: string, input: ExampleInput): Promise<WorkflowFile> {
	const text = await readFile(join(EXAMPLES, `${name}.json`), 'utf8');
	const { nodes, connections, settings, ...file }: Required<WorkflowFile> = JSON.parse(text);
	const filled = nodes.map((node) => ({
		...node,
		credentials: credentialsOf(textOf(node['type']) ?? '', input),
		parameters: isNote(node) ? node['parameters'] : filledParameters(node['parameters'], input),
	}));
	return { name: file.name, nodes: filled, connections, settings };
}

/** Copies the examples' input files to n8n's files folder. Replaces the files of an earlier run. */
export async function copyExampleSheets(filesFolder: string): Promise<void> {
	const { input, findings, european, completed } = EXAMPLE_SHEETS;
	for (const file of [input, findings, european, completed]) {
		await copyFile(join(EXAMPLES, file), join(filesFolder, file));
	}
}

/**
 * Returns the credential for a node. Returns undefined if the node needs no credential, or if the user entered no
 * credential of its type.
 */
function credentialsOf(
	nodeType: string,
	{ credential, mailAccount, database, model, formLogin }: ExampleInput,
) {
	if (nodeType.startsWith(`${PACKAGE_NAME}.`)) return { inspectionServiceApi: credential };
	if (nodeType === 'n8n-nodes-base.emailSend' && mailAccount) return { smtp: mailAccount };
	if (nodeType === 'n8n-nodes-base.postgres' && database) return { postgres: database };
	if (nodeType.endsWith('.lmChatOpenAi') && model) return { openAiApi: model };
	if (nodeType === 'n8n-nodes-base.formTrigger' && formLogin) return { httpBasicAuth: formLogin };
	return undefined;
}

/** Whether a node is a sticky note. The text of sticky notes keeps its placeholders. */
const isNote = ({ type }: JsonRecord) => type === 'n8n-nodes-base.stickyNote';

/**
 * Returns a node's parameters with the user's values. For a trigger, also sets the demo's poll interval and turns off
 * the option Wait Until Unchanged.
 */
function filledParameters(
	saved: JsonRecord['parameters'],
	{ filesFolder, chatUrl = CHAT_PLACEHOLDER }: ExampleInput,
) {
	const text = JSON.stringify(saved)
		.replaceAll(FILES_PLACEHOLDER, insideJson(filesFolder))
		.replaceAll(CHAT_PLACEHOLDER, insideJson(chatUrl));
	const parameters: JsonRecord['parameters'] = JSON.parse(text);
	if (!isRecord(parameters) || parameters['pollTimes'] === undefined) return parameters;
	const options = { ...recordIn(parameters['options']), settleMinutes: SETTLE_MINUTES };
	return { ...parameters, options, pollTimes: pollEvery(POLL_SECONDS) };
}

/** Escapes text for use between the quotes of a JSON string. */
const insideJson = (text: string) => JSON.stringify(text).slice(1, -1);

/**
 * Returns the trigger's parameter `pollTimes` for an interval shorter than a minute. It has one entry per poll:
 * `pollEvery(20)` polls at seconds 0, 20, and 40 of each minute. n8n rejects an entry that polls more than once a
 * minute.
 */
export function pollEvery(seconds: number): JsonRecord {
	const item = Array.from({ length: Math.ceil(60 / seconds) }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${String(index * seconds)} * * * * *`,
	}));
	return { item };
}
