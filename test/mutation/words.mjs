// A Stryker plugin that doesn't change texts for people, because a test of them could only repeat them.

/** The members of a field or an operation whose texts n8n displays. */
const SHOWN = /^(displayName|description|placeholder|hint|action|subtitle|notice|singular|plural)$/;

/** A text of three or more words. */
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
