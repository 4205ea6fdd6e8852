// The rules that n8n's own configuration does not hold: it must stay as its template has it (strict mode),
// and it does not look at .mts files. This one looks at everything, scripts included.
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import unicorn from 'eslint-plugin-unicorn';
import tseslint from 'typescript-eslint';

const CONNECTOR = 'nodes/InspectionService';

/** What each room may import from, besides itself; its picture is in CONTRIBUTING.md. The nodes' own files may from all. */
const ROOMS = {
	domain: [],
	transport: ['domain'],
	output: ['domain', 'transport'],
	fields: ['domain', 'transport', 'output'],
	operations: ['domain', 'transport', 'output', 'fields'],
	editor: ['domain', 'transport', 'output', 'fields'],
	trigger: ['domain', 'transport', 'output', 'fields'],
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
 * Zones of import-x/no-restricted-paths: how far each part of a folder may import what is `below` the folder. A part that
 * is not in the table may import nothing, so that it gets its line.
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

export default tseslint.config(
	{ ignores: ['dist', '.local', 'node_modules'] },
	{
		files: ['**/*.ts', '**/*.mts', '**/*.mjs', '**/*.js'],
		extends: [tseslint.configs.strict, tseslint.configs.stylistic],
		plugins: { 'import-x': importX, unicorn },
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		rules: {
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-non-null-assertion': 'error',
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
			'import-x/no-duplicates': ['error', { 'prefer-inline': true }],
			'import-x/order': [
				'error',
				{
					// Paths that package.json names ("imports").
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
			// A spread that copies nothing keeps Prettier from breaking a line.
			'unicorn/no-useless-spread': 'error',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: {
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
		settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts'] })] },
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
