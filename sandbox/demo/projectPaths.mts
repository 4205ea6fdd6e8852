import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's top folder, absolute. */
export const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What runs leave behind and git ignores: user folders, logs, installed n8n versions. */
export const LOCAL = join(PROJECT, '.local');
