import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's top folder, absolute. */
export const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));

/** What is made once and git ignores: installed n8n versions, logs, reports, screenshots. */
export const LOCAL = join(PROJECT, '.local');

/**
 * n8n's user folders, and what else a run needs only while it lasts. Below node_modules, because n8n keeps the 700
 * compiled files of its editor in each of them, which ESLint would read anywhere else: its configuration must stay
 * as n8n's template has it.
 */
export const RUNS = join(PROJECT, 'node_modules', '.cache', 'inspection-service');
