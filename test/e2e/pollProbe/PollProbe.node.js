'use strict';

/** The static data objects that earlier polls in this process got. */
const known = new WeakSet();

/**
 * A polling node for pollRules.e2e.mts. At each poll, it reports n8n's static data to the test, and does what the test
 * orders.
 */
class PollProbe {
	constructor() {
		this.description = {
			displayName: 'Poll Probe',
			name: 'pollProbe',
			group: ['trigger'],
			version: 1,
			description: 'Tells what n8n gives to a polling node',
			defaults: { name: 'Poll Probe' },
			polling: true,
			inputs: [],
			outputs: ['main'],
			properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
		};
	}

	/** @this {import('n8n-workflow').IPollFunctions} */
	async poll() {
		const node = this.getWorkflowStaticData('node');
		const global = this.getWorkflowStaticData('global');
		const isLive = known.has(node);
		known.add(node);
		const { write, then } = await this.helpers.httpRequest({
			method: 'POST',
			url: String(this.getNodeParameter('url')),
			json: true,
			body: {
				node: node.value ?? null,
				global: global.value ?? null,
				isLive,
				activation: this.getActivationMode(),
			},
		});
		if (write !== undefined) {
			node.value = write;
			global.value = write;
		}
		if (then === 'throw') throw new Error('as the test said');
		return then === 'emit' ? [[{ json: { write } }]] : null;
	}
}

module.exports = { PollProbe };
