import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The absolute path of the project's root folder. */
export const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folder for files that are created once, such as installed n8n versions and screenshots. Git ignores it. */
export const LOCAL = join(PROJECT, '.local');

/** The screenshots that the browser tests take for `npm run pictures`. */
export const SCREENSHOTS = join(LOCAL, 'screenshots');

/**
 * The folder for files of single runs, such as n8n's user folders. It's below node_modules so that ESLint ignores it:
 * each user folder has 700 compiled files of n8n's editor. ESLint's configuration can't ignore the folder, because the
 * configuration has to stay as in n8n's template.
 */
export const RUNS = join(PROJECT, 'node_modules', '.cache', 'inspection-service');
