import type { NodeHint } from 'n8n-workflow';

/**
 * Shown beside the output as soon as it is rows: most people append them to a sheet, which then has an inspection once for
 * every run. `condition` is true for what else has to hold, in the language of n8n's expressions.
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
