import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder, absolute. */
export const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Files that are created once and ignored by git: installed n8n versions, logs, reports, screenshots. */
export const LOCAL = join(PROJECT, '.local');

/** What the browser tests leave for `npm run pictures`. */
export const SCREENSHOTS = join(LOCAL, 'screenshots');

/**
 * n8n's user folders, and other files of a single run. They are below node_modules because n8n keeps the 700 compiled
 * files of its editor in each user folder. ESLint would read them anywhere else: its configuration must stay as in
 * n8n's template.
 */
export const RUNS = join(PROJECT, 'node_modules', '.cache', 'inspection-service');
