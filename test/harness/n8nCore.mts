import 'reflect-metadata';

import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type * as di from '@n8n/di';
import type * as n8nCore from 'n8n-core';
import type * as n8nWorkflow from 'n8n-workflow';

// n8n-core reads both variables when it is loaded. A separate folder isolates this process from other runs and from an
// n8n that the user has installed.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'inspection-n8n-core-'));
process.env.N8N_ENCRYPTION_KEY ??= 'only-for-tests';

const require = createRequire(import.meta.url);

// The CommonJS builds, because the tested package loads them too. With the ES modules, there would be two copies of
// n8n's classes.
export const core = require('n8n-core') as typeof n8nCore;
export const workflow = require('n8n-workflow') as typeof n8nWorkflow;

/** n8n's dependency container. It's resolved from n8n-core, so that tests and n8n-core share one container. */
export const { Container } = createRequire(require.resolve('n8n-core'))('@n8n/di') as typeof di;
