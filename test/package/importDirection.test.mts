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

// The linter looks at the connector itself; this shows that it would say something.
it.each([
	[
		'an import from a room to its right',
		'domain/id.ts',
		"import '../transport/deadline';",
		/picture/,
	],
	[
		'an import from a room beside its own',
		'operations/itemLoop.ts',
		"import '../editor/lookUps';",
		/picture/,
	],
	[
		'an import to the right in domain',
		'domain/template/form.ts',
		"import '../answer/answer';",
		/picture/,
	],
	['an import from nowhere', 'domain/id.ts', "import './gone';", /Unable to resolve/],
	['19 imports', 'trigger/poll.ts', imports(19), /Maximum number of dependencies \(18\)/],
	['18 imports', 'trigger/poll.ts', imports(18), undefined],
	[
		'an import of n8n',
		'domain/id.ts',
		"import { sleep } from 'n8n-workflow';\nsleep(1);",
		/Types only/,
	],
	[
		'types of n8n',
		'domain/id.ts',
		"import type { INode } from 'n8n-workflow';\nexport type A = INode;",
		undefined,
	],
	['a request', 'trigger/poll.ts', 'x.helpers.httpRequest();', /transport only/],
	['a request of n8n’s old kind', 'trigger/poll.ts', 'x.helpers.request();', /transport only/],
	[
		'a request by helpers taken out',
		'trigger/poll.ts',
		'const { helpers } = x;\nhelpers.request();',
		/transport only/,
	],
])('%s, in %s: the linter says what is wrong, or nothing', async (_, file, code, message) => {
	const results = await linter.lintText(code, { filePath: join(CONNECTOR, file) });
	const [told] = results
		.flatMap(({ messages }) => messages)
		.filter(({ ruleId }) => /import-x|restricted/.test(ruleId ?? ''));
	if (message === undefined) expect(told).toBeUndefined();
	else expect(told?.message).toMatch(message);
});
