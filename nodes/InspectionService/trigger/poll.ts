import type {
	INodeExecutionData,
	IPollFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { revisionOf } from '../domain/changes/storedCheckpoint';
import { trimmedEnd } from '../domain/plainText';
import { nodeError } from '../transport/nodeError';
import { scheduledItems } from './scheduledPoll';
import { staticData } from './staticData';
import { testItems } from './testEvent';
import { beginPoll } from './triggerPoll';

/** One poll of the trigger node. Null stands for nothing new. */
export async function pollInspections(
	context: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	try {
		const poll = await beginPoll(context);
		const isTest = context.getMode() === 'manual';
		const items = await (isTest ? testItems(poll) : scheduledItems(poll));
		return items.length === 0 ? null : [items];
	} catch (error) {
		throw pollError(context, error);
	}
}

/** The end of a failed poll's message: people fear for the changes that it was to bring. */
const NOTHING_LOST = 'Nothing is lost: the next poll goes on here.';

/** The error of a poll. A test in the editor has nothing to lose, and so has the first poll: it has no checkpoint yet. */
function pollError(context: IPollFunctions, error: unknown): NodeApiError | NodeOperationError {
	const shown = nodeError(context.getNode(), error);
	const { own, backup } = staticData(context).read();
	const hasCheckpoint = revisionOf(own) > 0 || revisionOf(backup) > 0;
	if (hasCheckpoint && context.getMode() !== 'manual') {
		shown.message = `${trimmedEnd(shown.message, '.')}. ${NOTHING_LOST}`;
	}
	return shown;
}
