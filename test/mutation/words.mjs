// Stryker plugin that leaves messages for people alone. A test could only repeat them.

/** Members that n8n shows of a field or an operation. */
const SHOWN = /^(displayName|description|placeholder|hint|action|subtitle|notice|singular|plural)$/;

/** Three or more words. */
const PROSE = /\S+\s+\S+\s+\S/;

export const strykerPlugins = [
	{
		kind: 'Ignore',
		name: 'words',
		value: {
			/**
			 * @param {{node: {type: string, value: string}, parent?: {type: string, key: {name: string}}}} path as in Babel
			 */
			shouldIgnore({ node, parent }) {
				if (node.type !== 'StringLiteral') return undefined;
				const isShown = parent?.type === 'ObjectProperty' && SHOWN.test(parent.key.name);
				return isShown || PROSE.test(node.value) ? 'words for people' : undefined;
			},
		},
	},
];
