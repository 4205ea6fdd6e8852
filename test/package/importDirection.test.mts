import { globSync } from 'node:fs';
import { join } from 'node:path';

import { ESLint } from 'eslint';
import { expect, it } from 'vitest';

import { PROJECT } from '#scripts/projectPaths.mts';

const CONNECTOR = join(PROJECT, 'nodes', 'InspectionService');
const linter = new ESLint({ cwd: PROJECT, overrideConfigFile: 'eslint.tooling.mjs' });

/** Imports of so many files of domain and transport, for a file of another room. */
const imports = (count: number) =>
	globSync('{domain,transport}/*.ts', { cwd: CONNECTOR })
		.slice(0, count)
		.map((path) => `import '../${path.replace(/\.ts$/, '')}';`)
		.join('\n');

const PICTURE = /picture/;
const TRANSPORT = /transport only/;

// The linter looks at the connector itself; this shows that it would say something.
it.each([
	['an import to the right', 'domain/id.ts', "import '../transport/deadline';", PICTURE],
	['an import from beside', 'operations/itemLoop.ts', "import '../editor/lookUps';", PICTURE],
	['one in domain', 'domain/template/form.ts', "import '../answer/answer';", PICTURE],
	['an import from nowhere', 'domain/id.ts', "import './gone';", /Unable to resolve/],
	['19 imports', 'trigger/poll.ts', imports(19), /Maximum number of dependencies \(18\)/],
	['18 imports', 'trigger/poll.ts', imports(18), undefined],
	['n8n', 'domain/id.ts', "import { sleep } from 'n8n-workflow';\nsleep();", /Types only/],
	['types of n8n', 'domain/id.ts', "export type { INode } from 'n8n-workflow';", undefined],
	['a request', 'trigger/poll.ts', 'x.helpers.httpRequest();', TRANSPORT],
	['a request of n8n’s old kind', 'trigger/poll.ts', 'x.helpers.request();', TRANSPORT],
	['helpers taken out', 'trigger/poll.ts', 'const { helpers } = x;\nhelpers.request();', TRANSPORT],
])('%s, in %s: the linter says what is wrong, or nothing', async (_, file, code, message) => {
	const results = await linter.lintText(code, { filePath: join(CONNECTOR, file) });
	const [told] = results
		.flatMap(({ messages }) => messages)
		.filter(({ ruleId }) => /import-x|restricted/.test(ruleId ?? ''));
	if (message === undefined) expect(told).toBeUndefined();
	else expect(told?.message).toMatch(message);
});
