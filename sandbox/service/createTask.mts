import { DateTime } from 'luxon';

import { type Inspection, PRIORITIES } from './model.mts';
import { isGiven, isObject, listOf, shownValue, textOf } from './sentValue.mts';
import type { Store } from './store.mts';
import type { ViewContext } from './view.mts';

const emailOf = (value: unknown) => shownValue(value).trim().toLowerCase();

function resolveAssignees(
	asked: readonly unknown[],
	{ organizationId, createdById }: Inspection,
	store: Store,
): { assigneeIds: string[]; warnings: string[] } {
	const members = store.members(organizationId);
	const ids = new Map(members.map(({ email, id }) => [emailOf(email), id]));
	const invalid = asked.filter((email) => !ids.has(emailOf(email)));
	const valid = [...new Set(asked.flatMap((email) => ids.get(emailOf(email)) ?? []))];

	const warnings: string[] = [];
	if (invalid.length > 0) {
		warnings.push(`Invalid or unauthorized assignee emails: ${invalid.map(shownValue).join(', ')}`);
	}
	if (asked.length > 0 && valid.length === 0) {
		warnings.push('No valid assignee users found, the default assignee is used');
	}
	return { assigneeIds: valid.length > 0 ? valid : [createdById], warnings };
}

/**
 * Creates the task of a create request. If that fails, the inspection stays, `taskId` is null, and `warnings` has the
 * reason (CreatedInspection in the OpenAPI document).
 */
export function createTask(
	task: unknown,
	inspection: Inspection,
	{ store }: ViewContext,
): { taskId: string | null; warnings: string[] } {
	const failed = (reason: string, warnings: string[] = []) => ({
		taskId: null,
		warnings: [...warnings, `Task creation failed: ${reason}`],
	});
	if (!isObject(task)) return failed('task is not an object');

	const { organizationId, id: inspectionId, name } = inspection;
	const { assigneeIds, warnings } = resolveAssignees(listOf(task.assignee), inspection, store);
	// A due date without a zone is in the organization's zone (Task in the OpenAPI document).
	const zone = store.organizations.get(organizationId)?.timeZone;
	const due = DateTime.fromISO(textOf(task.due_date_time), { zone });
	if (isGiven(task.due_date_time) && !due.isValid) {
		return failed('due_date_time is not a valid date', warnings);
	}
	const priority = textOf(task.priority).toLowerCase();
	const made = store.addTask({
		organizationId,
		inspectionId,
		title: textOf(task.title) || name,
		instructions: textOf(task.instructions),
		priority: PRIORITIES.find((known) => known === priority) ?? 'medium',
		dueAt: due.toUTC().toISO(),
		assigneeIds,
	});
	return { taskId: made.id, warnings };
}
