// Rules for all files, including scripts and .mts files. eslint.config.mjs can't contain them: in n8n's strict mode, it
// has to stay as in n8n's template, and it ignores .mts files.
import { defineConfig } from 'eslint/config';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import * as regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const CONNECTOR = 'nodes/InspectionService';

/**
 * Which other folders each folder of the connector can import from. Files directly in the nodes' folder can import from
 * all of these folders.
 */
const ROOMS = {
	domain: [],
	transport: ['domain'],
	cache: ['domain', 'transport'],
	output: ['domain', 'transport', 'cache'],
	fields: ['domain', 'cache'],
	actions: ['domain', 'transport', 'cache', 'output', 'fields'],
	methods: ['domain', 'transport', 'output', 'fields'],
	trigger: ['domain', 'transport', 'cache', 'output', 'fields'],
};

/**
 * Which other folders each folder of domain can import from. Each of them can also import the files directly in domain.
 */
const FOLDERS_OF_DOMAIN = {
	'*.ts': [],
	template: [],
	answer: ['template'],
	file: [],
	request: [],
	list: [],
	create: ['template', 'answer', 'list'],
	row: ['template', 'answer', 'list'],
	report: ['template', 'answer', 'list', 'file', 'row'],
	changes: ['list'],
};

/**
 * Returns the zones of import-x/no-restricted-paths for a folder. `parts` lists what each part of the folder can import
 * from other parts. `below` matches the imported files. A part that isn't listed can't import from any other part, so a
 * new part must be listed.
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
			message:
				'ROOMS and FOLDERS_OF_DOMAIN in eslint.tooling.mjs list the imports that are allowed.',
		}),
	);

/** Imports that are forbidden in tests. */
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
		plugins: { 'import-x': importX },
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
			// Older versions of Luxon and n8n can return undefined although their types don't say so. The rule also ignores
			// assignments in callbacks.
			'@typescript-eslint/no-unnecessary-condition': 'off',
			'@typescript-eslint/no-unnecessary-type-conversion': 'off',
			// In nodes/, this only reports calls after `typeof x === 'function'`. The neighboring rules reject `any`.
			'@typescript-eslint/no-unsafe-call': 'off',
			// These two rules only concern style.
			'@typescript-eslint/no-confusing-void-expression': 'off',
			'@typescript-eslint/no-meaningless-void-operator': 'off',
			// This reports String(value) for every external value, even if the line before checks the value's type.
			'@typescript-eslint/no-base-to-string': 'off',
			// Functions that n8n and Fastify await are async, so that their exceptions become rejections.
			'@typescript-eslint/require-await': 'off',
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-non-null-assertion': 'error',
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
			'import-x/no-duplicates': ['error', { 'prefer-inline': true }],
			'import-x/order': [
				'error',
				{
					// These paths are defined under "imports" in package.json.
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
		},
	},
	{
		files: ['**/*.mts', '**/*.mjs', '**/*.js'],
		rules: {
			// JSON.parse, responses, and untyped parts of n8n return `any`. Tests pass these values to assertions.
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
			// Tests pass methods without their object to `expect` and to fakes.
			'@typescript-eslint/unbound-method': 'off',
			// Tests split text into code points by spreading it.
			'@typescript-eslint/no-misused-spread': 'off',
			// A type parameter that is used only once preserves the exact type of a spread value.
			'@typescript-eslint/no-unnecessary-type-parameters': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		// Patterns on text from outside must take only linear time in the length of the text.
		extends: [regexp.configs['flat/recommended']],
		rules: {
			'regexp/no-super-linear-move': 'error',
			// For "any printable ASCII character", the rule suggests a list of four ranges, which is harder to read.
			'regexp/no-obscure-range': 'off',
			// Patterns that are composed of parts have assertions that only matter in one of the parts.
			'regexp/no-useless-assertions': 'off',
			// The rule ignores cycles of type imports, which don't exist at run time.
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
			// These files need the connector's code: they run a poll, or the functions that turn rows and templates into a
			// request.
			'test/trigger/storm.mts',
			'test/harness/{forms,madeOfRows}.mts',
			// This file converts times in tests to the connector's type.
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
		// These files rethrow a caught value. A check before that narrows the value's type from `unknown` to an object.
		files: [
			`${CONNECTOR}/actions/inspection/create/buildRequest.ts`,
			`${CONNECTOR}/trigger/pollOnce.ts`,
		],
		rules: { '@typescript-eslint/only-throw-error': 'off' },
	},
	{
		// This pattern is applied to an expression of the workflow's author, which n8n parses with the same pattern.
		files: [`${CONNECTOR}/actions/inspection/create/readParameters.ts`],
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
