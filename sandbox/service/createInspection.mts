import { acceptAnswers } from './answerRules.mts';
import type { Caller } from './authentication.mts';
import { createTask, type TaskOutcome } from './createTask.mts';
import { parseGuid } from './guid.mts';
import { type CustomField, type Status, STATUSES, type Template, type User } from './model.mts';
import { badRequest, forbidden, notFound } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import type { Store } from './store.mts';
import { storedText } from './storedValue.mts';
import { formatTimestamp, type Ticks } from './timestamp.mts';
import { wholeInspectionView } from './view.mts';

export interface CreateContext {
	store: Store;
	settings: SandboxSettings;
	now: () => Ticks;
	/** True where a fault ends the work between the inspection and its task. */
	isCutShort: boolean;
}

/** A request body in which nothing is left that createInspection refuses; the rest may be of any form. */
export type CreateBody = Record<string, unknown> & { template_id: string };

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** 403 for a team that the key may not access; whether it is the template's is checked later. */
function teamOf(value: unknown, caller: Caller, { store, settings }: CreateContext): string | null {
	const id = typeof value === 'string' ? parseGuid(value) : null;
	if (id === null) {
		if (settings.teamIdRequired) throw badRequest('team_id is required');
		return null;
	}
	const isForeign = store.team(id)?.organizationId !== caller.organization.id;
	const isBarred = caller.key.teamIds !== null && !caller.key.teamIds.includes(id);
	if (isForeign || isBarred) throw forbidden('The key may not access this team');
	return id;
}

/** The items of `data`; whatever is no list of them counts as none. */
const itemsOf = (data: unknown): unknown[] =>
	isObject(data) && Array.isArray(data.items) ? data.items : [];

function findTemplate(reference: string, caller: Caller, store: Store): Template {
	const template = store.findTemplate(caller.organization.id, reference);
	const isUsable = template?.published === true && !template.disabled && !template.deleted;
	if (!isUsable) throw notFound('Template not found');
	return template;
}

function statusOf(value: unknown, settings: SandboxSettings): Status {
	if (value === undefined || value === null || value === '') return 'new';
	const status = STATUSES.find((known) => known === String(value).toLowerCase());
	if (status !== undefined) return status;
	if (settings.invalidStatus === '400') throw badRequest('status is not valid');
	return 'new';
}

function creatorOf(
	value: unknown,
	template: Template,
	caller: Caller,
	store: Store,
): { creator: User; warnings: string[] } {
	if (value === undefined || value === null || value === '') {
		return { creator: caller.owner, warnings: [] };
	}
	const email = String(value).trim().toLowerCase();
	const creator = store
		.members(caller.organization.id)
		.find((member) => member.email.toLowerCase() === email);
	const mayUse = creator?.teamIds === null || creator?.teamIds.includes(template.teamId) === true;
	if (creator !== undefined && mayUse) return { creator, warnings: [] };
	const warning = `Invalid created_by: ${String(value)} is not a member with access to the team, the API key owner is used`;
	return { creator: caller.owner, warnings: [warning] };
}

function customFieldsOf(value: unknown, settings: SandboxSettings): CustomField[] {
	if (!Array.isArray(value) || settings.customFields === 'dropped') return [];
	return value.filter(isObject).flatMap((field) => {
		if (typeof field.name !== 'string' || typeof field.value !== 'string') return [];
		return [{ name: storedText(field.name, settings), value: storedText(field.value, settings) }];
	});
}

/**
 * Create an inspection: the answer is the inspection, or an envelope with task_id and warnings where a task was
 * made or something was worth a warning (CreatedInspection of the document).
 */
export function createInspection(body: CreateBody, caller: Caller, context: CreateContext): object {
	const { store, settings } = context;
	const teamId = teamOf(body.team_id, caller, context);
	const status = statusOf(body.status, settings);
	const template = findTemplate(body.template_id.trim(), caller, store);
	if (teamId !== null && teamId !== template.teamId) {
		throw notFound('team_id differs from the team of the template');
	}

	const textOf = (value: unknown) => (typeof value === 'string' ? storedText(value, settings) : '');
	const { creator, warnings } = creatorOf(body.created_by, template, caller, store);
	const stamp = formatTimestamp(context.now(), 'ms');
	const inspection = store.createInspection(
		{
			template,
			status,
			name: textOf(body.name) || `${template.name} ${stamp}`,
			description: textOf(body.description),
			creatorId: creator.id,
			customFields: customFieldsOf(body.custom_fields, settings),
			locations: Array.isArray(body.locations) ? body.locations.filter(isObject) : [],
			answers: acceptAnswers(itemsOf(body.data), template, settings),
		},
		{ visibleInMs: settings.commitDelayMs },
	);

	const task: TaskOutcome | null =
		body.task === undefined || body.task === null || context.isCutShort
			? null
			: createTask(body.task, { store, settings, organization: caller.organization, inspection });
	const allWarnings = [...warnings, ...(task?.warnings ?? [])];
	const { data, ...answer } = wholeInspectionView(inspection, context);
	const view = settings.createAnswerData ? { ...answer, data } : answer;
	if (task === null && allWarnings.length === 0) return view;
	return {
		inspection: view,
		task_id: task?.taskId ?? null,
		warnings: allWarnings.length === 0 ? null : allWarnings,
	};
}
