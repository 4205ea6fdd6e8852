import type { NodeHint } from 'n8n-workflow';

/**
 * A hint beside the output, shown when the output is rows. Most people append rows to a sheet, which then has an
 * inspection once more after every run. `condition` is an n8n expression for what else has to be true.
 */
export function rowHint(condition = 'true'): NodeHint {
	return {
		message:
			'Rows for a sheet: choose "Append or Update Row" there and match on the column id. With "Append Row", each run adds the inspections once more.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'always',
		displayCondition: `={{ ${condition} && $parameter["output"] === "row" }}`,
	};
}
