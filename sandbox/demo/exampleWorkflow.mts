/** The workflows of examples/, put in the place of their placeholders what a user would enter. */
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isRecord, type JsonRecord, textOf } from '../../nodes/InspectionService/domain/json.ts';
import type { SavedCredential, WorkflowFile } from './n8nClient.mts';
import { PACKAGE_NAME } from './packedConnector.mts';
import { PROJECT } from './projectPaths.mts';

const EXAMPLES = join(PROJECT, 'examples');

/** The importable workflows by what they are for. */
export const EXAMPLE_FILES = {
	create: 'spreadsheet-to-inspections.json',
	findings: 'findings-to-inspections.json',
	trigger: 'finished-inspections-to-chat.json',
	form: 'form-to-inspection.json',
	getMany: 'inspections-to-spreadsheet.json',
	dataTable: 'answers-to-data-table.json',
	postgres: 'answers-to-postgres.json',
} as const;

export type ExampleName = keyof typeof EXAMPLE_FILES;

/** Names of the examples' nodes, as tests and the demo ask for them. */
export const EXAMPLE_NODES = {
	start: 'When clicking ‘Execute workflow’',
	rows: 'Rows of the sheet',
	create: 'Create inspections',
	made: 'What was made',
	trigger: 'Inspection finished',
	getMany: 'Get inspections',
	form: 'On form submission',
	createOne: 'Create inspection',
	answers: 'Get answers',
	table: 'Keep the answers',
} as const;

/** The files that the examples read and write, in n8n's files folder. */
export const EXAMPLE_SHEETS = {
	input: 'site-safety.xlsx',
	made: 'inspections-made.xlsx',
	findings: 'site-findings.csv',
	findingsMade: 'findings-made.xlsx',
	finished: 'finished-inspections.csv',
	all: 'inspections.xlsx',
} as const;

/** What a user enters after the import; what is left out stays as it is in the example. */
export interface ExampleInput {
	/** A saved credential of the connector. */
	credential: SavedCredential;
	/** The folder that n8n's file nodes may use. */
	filesFolder: string;
	/** The chat's incoming webhook. */
	chatUrl?: string;
	/** A saved SMTP credential. */
	mailAccount?: SavedCredential;
	/** A saved credential of n8n's Postgres node. */
	database?: SavedCredential;
	/** Interval of the trigger; left as in the example by default. */
	pollSeconds?: number;
}

// What the examples have in these places: n8n's own folder in its Docker image, and an address that is nobody's.
const FILES_PLACEHOLDER = '/home/node/.n8n-files';
const CHAT_PLACEHOLDER = 'https://chat.example.com/hooks/your-webhook';

/** Reads an example and fills in what a user would. */
export async function loadExample(name: ExampleName, input: ExampleInput): Promise<WorkflowFile> {
	const source = await readFile(join(EXAMPLES, EXAMPLE_FILES[name]), 'utf8');
	const text = source
		.replaceAll(FILES_PLACEHOLDER, insideJson(input.filesFolder))
		.replaceAll(CHAT_PLACEHOLDER, insideJson(input.chatUrl ?? CHAT_PLACEHOLDER));
	const { nodes, connections, settings, ...file }: Required<WorkflowFile> = JSON.parse(text);
	const filled = nodes.map((node) => completed(node, input));
	return { name: file.name, nodes: filled, connections, settings };
}

/** Puts the files that the examples start from into n8n's files folder, over those of an earlier run. */
export async function copyExampleSheets(filesFolder: string): Promise<void> {
	const { input, findings, finished } = EXAMPLE_SHEETS;
	for (const file of [input, findings, finished]) {
		await copyFile(join(EXAMPLES, file), join(filesFolder, file));
	}
}

function completed(node: JsonRecord, input: ExampleInput): JsonRecord {
	const { parameters } = node;
	const { pollSeconds } = input;
	const isPolling = isRecord(parameters) && parameters['pollTimes'] !== undefined;
	return {
		...node,
		...credentialsOf(textOf(node['type']) ?? '', input),
		...(isPolling && pollSeconds !== undefined
			? { parameters: { ...parameters, pollTimes: pollEvery(pollSeconds) } }
			: {}),
	};
}

/** What a node's credentials become; nothing where it has none, or none was entered. */
function credentialsOf(
	nodeType: string,
	{ credential, mailAccount: smtp, database: postgres }: ExampleInput,
): { credentials?: Record<string, SavedCredential> } {
	const isOwn = nodeType.startsWith(`${PACKAGE_NAME}.`);
	if (isOwn) return { credentials: { inspectionServiceApi: credential } };
	if (nodeType === 'n8n-nodes-base.emailSend' && smtp) return { credentials: { smtp } };
	if (nodeType === 'n8n-nodes-base.postgres' && postgres) return { credentials: { postgres } };
	return {};
}

/** A text as it stands between the quotes of a JSON string. */
const insideJson = (text: string) => JSON.stringify(text).slice(1, -1);

/**
 * The parameter `pollTimes` of a polling trigger for less than a minute: one entry per fixed second, because n8n
 * refuses an entry that fires more than once a minute.
 */
export function pollEvery(seconds: number): JsonRecord {
	const item = Array.from({ length: Math.ceil(60 / seconds) }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${String(index * seconds)} * * * * *`,
	}));
	return { item };
}
