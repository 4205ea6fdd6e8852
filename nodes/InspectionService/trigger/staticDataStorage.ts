import type { IPollFunctions } from 'n8n-workflow';

import type { CursorStorage } from './storedPoll';

/** The key of the cursor in the node's own static data. */
const OWN_KEY = 'cursor';
/** What the copy's key in the workflow's global static data begins with; the node's id follows. */
const COPY_PREFIX = 'inspectionServiceTrigger:';

/** n8n's static data as the place of the cursor. */
export function staticDataStorage(context: IPollFunctions): CursorStorage {
	const copyKey = COPY_PREFIX + context.getNode().id;
	return {
		read: () => {
			const own = context.getWorkflowStaticData('node');
			const copy = context.getWorkflowStaticData('global')[copyKey];
			return { own: own[OWN_KEY] ?? leftover(own), copy };
		},
		write: (own, copy) => {
			context.getWorkflowStaticData('node')[OWN_KEY] = own;
			context.getWorkflowStaticData('global')[copyKey] = copy;
		},
	};
}

/** Data under other keys is another version's: there was something, and it cannot be used. */
function leftover(own: object): unknown {
	return Object.keys(own).some((key) => !key.startsWith('__')) ? own : undefined;
}
