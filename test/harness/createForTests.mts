import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '#sandbox/service/faults.mts';
import type { Answer } from '#sandbox/service/model.mts';
import type { LoggedRequest } from '#sandbox/service/requestLog.mts';
import type { ControlSpec } from '#sandbox/service/specs.mts';
import { type Outcome, outcomeOf } from './actionNode.mts';
import { failureOf } from './failure.mts';
import { executeNode, nodeRun, type NodeRunOptions } from './inspectionNodes.mts';
import { createParameters, MAP_AUTOMATICALLY, mapColumns, templateBy } from './nodeParameters.mts';
import { sandboxForTests } from './sandboxForTests.mts';

/** How to run Create. Omitted members have the editor's defaults. Without `columns`, items are mapped automatically. */
export interface CreateRun extends Partial<Omit<NodeRunOptions, 'parameters'>> {
	/** Values for "Map Each Column Manually", by column ID. */
	columns?: Record<string, string>;
	name?: string;
	uniqueKey?: string;
	options?: IDataObject;
	additionalFields?: IDataObject;
	/** The template's identifier, or an expression that returns it. Default: `WALK`. */
	template?: string;
	/** Other parameters of the node. */
	others?: IDataObject;
}

/**
 * Returns a sandbox with a template `WALK` that has these controls, and functions that run Create and inspect the
 * results. The tests of one file share them.
 */
export async function createForTests(controls: readonly ControlSpec[]) {
	const { sandbox, credential, reset } = await sandboxForTests();
	const template = sandbox.store.addTemplate({ identifier: 'WALK', name: 'Site walk', controls });
	/** The mapper's columns as the editor saves them. */
	const schema = template.controls.map(({ fieldId, label }) => ({
		id: fieldId,
		displayName: label,
		required: false,
		defaultMatch: false,
		display: true,
	}));
	const optionsOf = (
		items: IDataObject[],
		{
			columns,
			name = '',
			uniqueKey = '',
			options,
			additionalFields,
			template: form = 'WALK',
			others,
			...run
		}: CreateRun,
	): NodeRunOptions => {
		const responses = columns === undefined ? MAP_AUTOMATICALLY : mapColumns(columns, schema);
		const given = { responses, name, uniqueKey, options, additionalFields, ...others };
		const parameters: INodeParameters = createParameters(templateBy(form), given as object);
		return { credential, items, ...run, parameters };
	};
	const create = async (items: IDataObject[], run: CreateRun = {}): Promise<Outcome> =>
		outcomeOf(await executeNode(optionsOf(items, run)));
	const shownAnswer = ({ controlId, order, value }: Answer) => {
		const control = template.controls.find(({ id }) => id === controlId);
		const suffix = control?.repeatableId === null ? '' : `:${String(order)}`;
		return `${control?.label ?? '(of another template)'}${suffix}=${String(value)}`;
	};
	return {
		sandbox,
		credential,
		reset,
		template,
		create,
		/**
		 * Runs Create with Retry On Fail, and yields the outcome of each attempt. Like n8n (2.41), it runs another attempt
		 * if the node throws, or if its first item has an error.
		 */
		attempts: async function* (items: IDataObject[], run: CreateRun = {}, maxAttempts = 3) {
			const once = await nodeRun(optionsOf(items, run));
			for (let count = 0; count < maxAttempts; count++) {
				const outcome = await once().then(outcomeOf, (error: unknown) => error as Error);
				yield outcome;
				if (!(outcome instanceof Error) && outcome.jsons[0]?.error === undefined) return;
			}
		},
		/**
		 * Runs Create and returns the error that n8n shows: first the message, then each entry of the list in the
		 * description.
		 */
		errorLines: async (items: IDataObject[], run: CreateRun = {}) => {
			const { message, description } = await failureOf(create(items, run));
			return [message, ...linesOf(description)];
		},
		/**
		 * Returns the answers of each inspection in the service, in the form `Area=Gate 4` or, in a repeatable section,
		 * `Room:2=Hall`.
		 */
		stored: () => sandbox.store.inspections().map(({ answers }) => answers.map(shownAnswer)),
		/** Returns the number of create requests that the service received, including failed ones. */
		creates: () => sandbox.requests.count('createInspection'),
		/** Makes create requests fail: all of them, those whose body contains a text, the nth one, or a limited number. */
		failCreate: (fault: Fault, which: { body?: string; nth?: number; times?: number } = {}) => {
			const { body = '', nth, times } = which;
			const where = (request: LoggedRequest) => request.body.includes(body);
			sandbox.faults.add({ on: { operation: 'createInspection', where, nth }, times, do: fault });
		},
	};
}

/**
 * Faults of a create request: `REFUSED` has no effect, and `LOST` loses the response after the inspection was created.
 */
export const REFUSED: Fault = { kind: 'status', status: 403 };
export const LOST: Fault = { kind: 'reset', when: 'after' };

/** Returns the entries of the list in an error's description. */
export function linesOf(description: string | null | undefined): string[] {
	return [...(description ?? '').matchAll(/<li>(.*?)<\/li>/g)].map(([, line = '']) => line);
}
