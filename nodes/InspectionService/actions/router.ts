import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InputError } from '../domain/inputError';
import { Notices } from '../domain/notices';
import { rowNumbers } from '../domain/rowNumbers';
import { thrownError } from '../output/nodeError';
import { startDownload } from './file/download';
import { startGetUrl } from './file/getUrl';
import { startCreate } from './inspection/create/create';
import { startGet } from './inspection/get';
import { startGetMany } from './inspection/getAll';
import { runOperation, type Start } from './itemLoop';
import { ItemServices } from './itemServices';
import { startGetTemplate } from './template/get';

/** Start functions by resource and operation value, as workflows save them. */
const STARTS = new Map<string, Start>([
	['inspection create', startCreate],
	['inspection get', startGet],
	['inspection getAll', startGetMany],
	['template get', startGetTemplate],
	['file download', startDownload],
	['file getUrl', startGetUrl],
]);

/** Runs the operation that the node's parameters select. Throws n8n errors only. */
export async function runNode(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	try {
		return await runOperation(chosenStart(context), {
			context,
			services: new ItemServices(context),
			notices: new Notices(),
			numbers: rowNumbers(context.getInputData().map(({ json }) => json)),
		});
	} catch (error) {
		throw thrownError(context.getNode(), error);
	}
}

function chosenStart(context: IExecuteFunctions): Start {
	const resource = context.getNodeParameter('resource', 0);
	const value = context.getNodeParameter('operation', 0);
	const start = STARTS.get(`${resource} ${value}`);
	if (start !== undefined) return start;
	throw new InputError(
		`Operation "${value}" of resource "${resource}" is not known to this version of the node. Choose one from the list.`,
	);
}
