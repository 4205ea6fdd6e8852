import { join } from 'node:path';

import { ESLint } from 'eslint';
import { expect, it } from 'vitest';

import { PROJECT } from '#scripts/projectPaths.mts';

const CONNECTOR = join(PROJECT, 'nodes', 'InspectionService');
const linter = new ESLint({ cwd: PROJECT, overrideConfigFile: 'eslint.tooling.mjs' });

// The linter looks at the connector itself; this shows that it would say something.
it.each([
	['a room to its right', 'domain/id.ts', "import '../transport/deadline';", /picture/],
	['a room beside its own', 'operations/itemLoop.ts', "import '../editor/lookUps';", /picture/],
	['the right in domain', 'domain/template/form.ts', "import '../answer/answer';", /picture/],
	['nowhere', 'domain/id.ts', "import './gone';", /Unable to resolve/],
	['n8n', 'domain/id.ts', "import { sleep } from 'n8n-workflow';\nsleep(1);", /Types only/],
	['types of n8n', 'domain/id.ts', "import type { INode } from 'n8n-workflow';", undefined],
	['requests', 'trigger/poll.ts', 'x.helpers.httpRequest();', /transport only/],
	[
		'helpers taken out',
		'trigger/poll.ts',
		'const { helpers } = x;\nhelpers.request();',
		/transport only/,
	],
])('%s, used in %s: the linter says what is wrong, or nothing', async (_, file, code, message) => {
	const results = await linter.lintText(code, { filePath: join(CONNECTOR, file) });
	const [told] = results
		.flatMap(({ messages }) => messages)
		.filter(({ ruleId }) => /import-x|restricted/.test(ruleId ?? ''));
	if (message === undefined) expect(told).toBeUndefined();
	else expect(told?.message).toMatch(message);
});
