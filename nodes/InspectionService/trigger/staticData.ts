import type { IPollFunctions } from 'n8n-workflow';

import type { CheckpointStorage } from './storedPoll';

/** The key of the checkpoint in the node's own static data. */
const OWN_KEY = 'checkpoint';
/** The key of the backup in the workflow's global static data begins with this. The node's id follows. */
const BACKUP_PREFIX = 'inspectionServiceTrigger:';

/** Keeps the checkpoint in n8n's static data. */
export function staticData(context: IPollFunctions): CheckpointStorage {
	const backupKey = BACKUP_PREFIX + context.getNode().id;
	return {
		read: () => {
			const own = context.getWorkflowStaticData('node');
			const backup = context.getWorkflowStaticData('global')[backupKey];
			return { own: own[OWN_KEY] ?? leftover(own), backup };
		},
		write: (own, backup) => {
			context.getWorkflowStaticData('node')[OWN_KEY] = own;
			context.getWorkflowStaticData('global')[backupKey] = backup;
		},
	};
}

/**
 * Data under another key was written by another version of the node. It cannot be used, but it shows that the trigger
 * is not new. n8n's own keys begin with `__`.
 */
function leftover(own: object): unknown {
	return Object.keys(own).some((key) => !key.startsWith('__')) ? own : undefined;
}
