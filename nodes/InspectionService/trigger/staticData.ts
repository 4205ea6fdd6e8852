import type { IPollFunctions } from 'n8n-workflow';

import type { CheckpointStorage } from './storedPoll';

/** The key of the checkpoint in the node's own static data. */
const OWN_KEY = 'checkpoint';
/** What the backup's key in the workflow's global static data begins with; the node's id follows. */
const BACKUP_PREFIX = 'inspectionServiceTrigger:';

/** n8n's static data as the place of the checkpoint. */
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

/** Data under other keys was written by another version. It cannot be used, but it says that there was something. */
function leftover(own: object): unknown {
	return Object.keys(own).some((key) => !key.startsWith('__')) ? own : undefined;
}
