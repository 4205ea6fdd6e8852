// Rules that can't be in n8n's own configuration: it must stay as in n8n's template (strict mode), and it ignores
// .mts files. This one checks everything, including scripts.
import { defineConfig } from 'eslint/config';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import * as regexp from 'eslint-plugin-regexp';
import unicorn from 'eslint-plugin-unicorn';
import tseslint from 'typescript-eslint';

const CONNECTOR = 'nodes/InspectionService';

/**
 * What each room may import from, besides itself. CONTRIBUTING.md has a diagram. Files directly in the nodes' folder
 * may import from every room.
 */
const ROOMS = {
	domain: [],
	transport: ['domain'],
	cache: ['domain', 'transport'],
	output: ['domain', 'transport', 'cache'],
	fields: ['domain', 'transport', 'cache', 'output'],
	actions: ['domain', 'transport', 'cache', 'output', 'fields'],
	methods: ['domain', 'transport', 'cache', 'output', 'fields'],
	trigger: ['domain', 'transport', 'cache', 'output', 'fields'],
};

/** What each folder of domain may import from, besides itself and the files directly in domain. */
const FOLDERS_OF_DOMAIN = {
	'*.ts': [],
	template: [],
	answer: ['template'],
	file: [],
	request: [],
	list: ['request'],
	create: ['template', 'answer', 'list'],
	row: ['template', 'answer', 'list'],
	changes: ['list'],
};

/**
 * Zones of import-x/no-restricted-paths: what each part of a folder may import from `below` the folder. A part that
 * is missing from the table may import nothing, so that someone adds it.
 *
 * @param {string} folder
 * @param {string} below
 * @param {Record<string, string[]>} parts
 */
const zonesOf = (folder, below, parts) =>
	Object.entries({ ...parts, [`!(${Object.keys(parts).join('|')})`]: [] }).map(
		([part, others]) => ({
			target: `${folder}/${part}${part.endsWith('.ts') ? '' : '/**'}`,
			from: `${folder}/${below}`,
			except: [part, ...others].map((name) => `**/${folder}/${name}/**`),
			message: 'Imports point to the left only, see "The picture" in CONTRIBUTING.md.',
		}),
	);

/** Patterns for imports in tests. */
const SIBLINGS = {
	regex: '^\\.\\./(e2e|fuzz|long|mutation|n8n|package|sandbox|trigger|unit)/',
	message: 'Move what several families of tests use to test/harness.',
};
const CONNECTOR_CODE = {
	regex: '^#connector/',
	allowTypeImports: true,
	message: "The connector's code doesn't judge the connector. Use types only.",
};

export default defineConfig(
	{ ignores: ['dist', '.local', 'node_modules'] },
	{
		files: ['**/*.ts', '**/*.mts', '**/*.mjs', '**/*.js'],
		extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylistic],
		plugins: { 'import-x': importX, unicorn },
		languageOptions: {
			parserOptions: {
				project: ['tsconfig.json', 'tsconfig.tooling.json'],
				tsconfigRootDir: import.meta.dirname,
			},
		},
		settings: {
			'import-x/extensions': ['.ts', '.mts', '.mjs', '.js'],
			'import-x/resolver-next': [
				createNodeResolver({ extensions: ['.ts', '.mts', '.mjs', '.js'] }),
			],
		},
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		rules: {
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			// Luxon's and n8n's types promise values that their older versions don't return. The rule also misses
			// assignments in callbacks.
			'@typescript-eslint/no-unnecessary-condition': 'off',
			'@typescript-eslint/no-unnecessary-type-conversion': 'off',
			// In nodes/ it only reports calls after `typeof x === 'function'`. The neighboring rules reject `any`.
			'@typescript-eslint/no-unsafe-call': 'off',
			// Style.
			'@typescript-eslint/no-confusing-void-expression': 'off',
			'@typescript-eslint/no-meaningless-void-operator': 'off',
			// Reports String(value) for every external value, although the line before checks its type.
			'@typescript-eslint/no-base-to-string': 'off',
			// Functions that n8n and fastify await are async, so that their exceptions become rejections.
			'@typescript-eslint/require-await': 'off',
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-non-null-assertion': 'error',
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
			'import-x/no-duplicates': ['error', { 'prefer-inline': true }],
			'import-x/order': [
				'error',
				{
					// Paths in package.json's "imports".
					pathGroups: [{ pattern: '#*/**', group: 'internal' }],
					pathGroupsExcludedImportTypes: [],
					groups: ['builtin', 'external', ['internal', 'parent', 'sibling', 'index']],
					'newlines-between': 'always',
					alphabetize: { order: 'asc', caseInsensitive: true },
				},
			],
			'sort-imports': ['error', { ignoreDeclarationSort: true, ignoreCase: true }],
			'max-depth': ['error', 4],
			'max-params': ['error', 5],
			complexity: ['error', 16],
			eqeqeq: 'error',
			// An empty spread that keeps Prettier from breaking a line.
			'unicorn/no-useless-spread': 'error',
		},
	},
	{
		files: ['**/*.mts', '**/*.mjs', '**/*.js'],
		rules: {
			// JSON.parse, responses, and n8n's untyped parts return `any`, which tests pass on to assertions.
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
			// Tests pass single methods to `expect` and to fakes.
			'@typescript-eslint/unbound-method': 'off',
			// Tests split text into code points on purpose.
			'@typescript-eslint/no-misused-spread': 'off',
			// A type parameter that is used once keeps the exact type of a spread value.
			'@typescript-eslint/no-unnecessary-type-parameters': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		// Work on external text must take time linear in its length.
		extends: [regexp.configs['flat/recommended']],
		rules: {
			'regexp/no-super-linear-move': 'error',
			// Its suggestion for "any printable ASCII character" is a list of four ranges.
			'regexp/no-obscure-range': 'off',
			// Composed patterns keep assertions that make sense in each part.
			'regexp/no-useless-assertions': 'off',
			// Cycles of type imports don't exist at run time, and the rule ignores them.
			'import-x/no-cycle': 'error',
			'max-lines': ['error', 400],
			'max-lines-per-function': ['error', 60],
			'import-x/max-dependencies': ['error', { max: 20 }],
			'import-x/no-unresolved': 'error',
			'import-x/no-restricted-paths': [
				'error',
				{
					zones: [
						...zonesOf(CONNECTOR, '**', ROOMS),
						...zonesOf(`${CONNECTOR}/domain`, '*/**', FOLDERS_OF_DOMAIN),
					],
				},
			],
		},
	},
	{
		files: ['test/**'],
		rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [SIBLINGS] }] },
	},
	{
		files: ['test/{e2e,fuzz,harness,mutation,sandbox,trigger}/**'],
		ignores: [
			// These run what is tested: the poll, and the rules that turn rows and templates into a request.
			'test/trigger/storm.mts',
			'test/harness/{forms,madeOfRows}.mts',
			// Gives times that a test wrote the type that the connector takes.
			'test/harness/times.mts',
		],
		rules: {
			'@typescript-eslint/no-restricted-imports': [
				'error',
				{ patterns: [SIBLINGS, CONNECTOR_CODE] },
			],
		},
	},
	{
		files: ['bench/**', 'sandbox/**', 'scripts/**'],
		rules: {
			'@typescript-eslint/no-restricted-imports': ['error', { patterns: [CONNECTOR_CODE] }],
		},
	},
	{
		// They rethrow what they caught: narrowing turns `unknown` into an object.
		files: [
			`${CONNECTOR}/actions/inspection/create/request.ts`,
			`${CONNECTOR}/trigger/pollOnce.ts`,
		],
		rules: { '@typescript-eslint/only-throw-error': 'off' },
	},
	{
		// Its text is an expression by the workflow's author, which n8n parses with the same pattern.
		files: [`${CONNECTOR}/actions/inspection/create/uniqueKeyField.ts`],
		rules: { 'regexp/no-super-linear-move': 'off' },
	},
	{
		// The redactor's pattern matches base64 of the key, which ends with at most two "=".
		files: [`${CONNECTOR}/domain/request/apiKey.ts`],
		rules: { 'regexp/no-super-linear-move': 'off' },
	},
	{
		files: [`${CONNECTOR}/domain/**`],
		rules: {
			'@typescript-eslint/no-restricted-imports': [
				'error',
				{ patterns: [{ regex: '^n8n', allowTypeImports: true, message: 'Types only in domain.' }] },
			],
		},
	},
	{
		files: ['nodes/**/*.ts'],
		ignores: [`${CONNECTOR}/transport/**`],
		rules: {
			'no-restricted-syntax': [
				'error',
				{
					selector: 'Identifier[name=/^(httpRequest|requestWith|requestOAuth)/]',
					message: 'Requests are made in transport only.',
				},
				{
					selector:
						'MemberExpression[property.name="request"]:matches([object.property.name="helpers"], [object.name="helpers"])',
					message: 'Requests are made in transport only.',
				},
			],
		},
	},
);
