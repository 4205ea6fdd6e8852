import { acceptAnswers } from './answerRules.mts';
import type { Caller } from './authentication.mts';
import { createTask } from './createTask.mts';
import { parseGuid } from './guid.mts';
import { type CustomField, type Status, STATUSES, type Template, type User } from './model.mts';
import type { Sandbox } from './sandbox.mts';
import { isGiven, isObject, listOf, objectOf, shownValue, textOf } from './sentValue.mts';
import { forbidden, notFound } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import { storedText } from './storedValue.mts';
import { formatTimestamp } from './time.mts';
import { inspectionView, type ViewContext } from './view.mts';

/**
 * A request body that already passed the OpenAPI document's schemas. They check only `template_id`, so all other
 * members can have any value.
 */
export type CreateBody = Record<string, unknown> & { template_id: string };

/** Returns the requested team's ID, or null if none is requested. Rejects (403) a team that the key can't access. */
function teamOf(value: unknown, caller: Caller, { store }: ViewContext): string | null {
	const id = typeof value === 'string' ? parseGuid(value) : null;
	if (id === null) return null;
	const isForeign = store.teams.get(id)?.organizationId !== caller.organization.id;
	const isBarred = caller.key.teamIds?.includes(id) === false;
	if (isForeign || isBarred) throw forbidden('The key does not have access to this team');
	return id;
}

const statusOf = (value: unknown): Status =>
	STATUSES.find((known) => known === shownValue(value).toLowerCase()) ?? 'new';

/**
 * Returns the user with the requested email, if that user has access to the template's team. Otherwise returns the
 * key's owner, with a warning.
 */
function creatorOf(
	value: unknown,
	{ organizationId, teamId }: Template,
	{ owner }: Caller,
	{ store }: ViewContext,
): { creator: User; warnings: string[] } {
	if (!isGiven(value)) return { creator: owner, warnings: [] };
	const email = shownValue(value).trim().toLowerCase();
	const creator = store.members(organizationId).find((one) => one.email.toLowerCase() === email);
	const mayUse = creator?.teamIds?.includes(teamId) !== false;
	if (creator !== undefined && mayUse) return { creator, warnings: [] };
	const warning = `Invalid created_by: ${shownValue(value)} is not a member with access to the team, the API key owner is used`;
	return { creator: owner, warnings: [warning] };
}

function customFieldsOf(value: unknown, settings: SandboxSettings): CustomField[] {
	if (settings.customFields === 'dropped') return [];
	return listOf(value).flatMap((field) => {
		const { name, value: text } = objectOf(field);
		if (typeof name !== 'string' || typeof text !== 'string') return [];
		return [{ name: storedText(name, settings), value: storedText(text, settings) }];
	});
}

/**
 * Finds the requested template. Rejects (404) a template that isn't published, is disabled or deleted, or belongs to a
 * different team than requested.
 */
function templateOf(body: CreateBody, caller: Caller, context: ViewContext): Template {
	const teamId = teamOf(body.team_id, caller, context);
	const template = context.store.findTemplate(caller.organization.id, body.template_id.trim());
	const isUsable = template?.published === true && !template.disabled && !template.deleted;
	if (!isUsable) throw notFound('Template not found');
	if (teamId === null || teamId === template.teamId) return template;
	throw notFound('team_id differs from the team of the template');
}

/**
 * Implements the operation createInspection of the OpenAPI document. Returns the inspection. If there is a task or a
 * warning, it returns an envelope with the inspection, task_id, and warnings (CreatedInspection).
 *
 * @param isCutShort whether to create the inspection without the requested task
 */
export function createInspection(
	body: CreateBody,
	caller: Caller,
	context: Sandbox,
	isCutShort: boolean,
): object {
	const { store, settings, clock } = context;
	const template = templateOf(body, caller, context);
	const isDropped = settings.details === 'dropped';
	const kept = (value: unknown) => (isDropped ? '' : storedText(textOf(value), settings));
	const { creator, warnings } = creatorOf(body.created_by, template, caller, context);
	const inspection = store.addInspection(
		{
			template: template.id,
			status: statusOf(body.status),
			name: kept(body.name) || `${template.name} ${formatTimestamp(clock.now(), 'ms')}`,
			description: kept(body.description),
			createdById: creator.id,
			customFields: customFieldsOf(body.custom_fields, settings),
			locations: isDropped ? [] : listOf(body.locations).filter(isObject),
			answers: acceptAnswers(listOf(objectOf(body.data).items), template, settings),
		},
		{ visibleInMs: settings.commitDelayMs },
	);

	const isTaskWanted = body.task !== undefined && body.task !== null && !isCutShort;
	const task = isTaskWanted ? createTask(body.task, inspection, context) : null;
	if (task !== null) warnings.push(...task.warnings);
	const view = inspectionView(inspection, context);
	if (task === null && warnings.length === 0) return envelopeOf(view, settings);
	const facts = { task_id: task?.taskId ?? null, warnings: warnings.length > 0 ? warnings : null };
	return envelopeOf({ inspection: view, ...facts }, settings);
}

/** Puts the response into the envelope that the settings choose. */
function envelopeOf(created: object, { createEnvelope }: SandboxSettings): object {
	switch (createEnvelope) {
		case 'none':
			return created;
		case 'data':
			return { data: created };
		case 'array':
			return [created];
		case 'data.items':
			return { data: { items: [created] } };
	}
}
