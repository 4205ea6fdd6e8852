// The rules that n8n's own configuration does not hold: it must stay as its template has it (strict mode),
// and it does not look at .mts files. This one looks at everything, scripts included.
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['dist', '.local', 'node_modules'] },
	{
		files: ['**/*.ts', '**/*.mts', '**/*.mjs', '**/*.js'],
		extends: [tseslint.configs.strict, tseslint.configs.stylistic],
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		rules: {
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-non-null-assertion': 'error',
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
			'max-depth': ['error', 4],
			'max-params': ['error', 4],
			complexity: ['error', 16],
			eqeqeq: 'error',
		},
	},
);
