import 'reflect-metadata';

import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type * as di from '@n8n/di';
import type * as n8nCore from 'n8n-core';
import type * as n8nWorkflow from 'n8n-workflow';

// n8n-core reads both when it loads. A separate folder isolates runs from each other and from the user's n8n.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'inspection-n8n-core-'));
process.env.N8N_ENCRYPTION_KEY ??= 'only-for-tests';

const require = createRequire(import.meta.url);

// The CommonJS builds on purpose: the package under test loads them, and a second copy would have different classes.
export const core = require('n8n-core') as typeof n8nCore;
export const workflow = require('n8n-workflow') as typeof n8nWorkflow;

/** n8n's dependency container, resolved from n8n-core so that it's the same one. */
export const { Container } = createRequire(require.resolve('n8n-core'))('@n8n/di') as typeof di;
