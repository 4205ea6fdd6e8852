// The rules that n8n's own configuration does not hold: it must stay as its template has it (strict mode),
// and it does not look at .mts files. This one looks at everything, scripts included.
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['dist', '.local', 'node_modules'] },
	{
		files: ['**/*.ts', '**/*.mts', '**/*.mjs', '**/*.js'],
		extends: [tseslint.configs.strict, tseslint.configs.stylistic],
		plugins: { 'import-x': importX },
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
			'max-params': ['error', 4],
			complexity: ['error', 16],
			eqeqeq: 'error',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: {
			'max-lines': ['error', 250],
			'max-lines-per-function': ['error', 40],
		},
	},
);
