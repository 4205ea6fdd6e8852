import { DateTime } from 'luxon';

import {
	type Inspection,
	type Organization,
	PRIORITIES,
	type Priority,
	type User,
} from './model.mts';
import type { SandboxSettings } from './settings.mts';
import type { Store } from './store.mts';

interface TaskContext {
	store: Store;
	settings: SandboxSettings;
	organization: Organization;
	inspection: Inspection;
}

export interface TaskOutcome {
	/** Null when the task could not be made. */
	taskId: string | null;
	warnings: string[];
}

function priorityOf(value: unknown): Priority {
	const text = typeof value === 'string' ? value.toLowerCase() : '';
	return PRIORITIES.find((priority) => priority === text) ?? 'medium';
}

/** ISO 8601 UTC. A value without a zone is read in the organization's (Task of the document). */
function dueDateOf(value: unknown, zone: string): string | null {
	if (value === undefined || value === null || value === '') return null;
	const due = typeof value === 'string' ? DateTime.fromISO(value, { zone }) : null;
	if (due?.isValid !== true) throw new RangeError('due_date_time is not a valid date');
	return due.toUTC().toISO();
}

/** The addresses asked for; whatever is not a list of them counts as none given. */
function assigneesOf(task: unknown): unknown[] {
	if (typeof task !== 'object' || task === null || !('assignee' in task)) return [];
	return Array.isArray(task.assignee) ? task.assignee : [];
}

function resolveAssignees(
	asked: readonly unknown[],
	{ store, organization, inspection }: TaskContext,
): { ids: string[]; warnings: string[] } {
	if (asked.length === 0) return { ids: [inspection.createdById], warnings: [] };
	const members = store.members(organization.id);
	const memberOf = (email: unknown): User | undefined =>
		members.find((member) => member.email.toLowerCase() === String(email).trim().toLowerCase());
	const invalid = asked.filter((email) => memberOf(email) === undefined);
	const valid = asked.map(memberOf).filter((member) => member !== undefined);
	const ids = [...new Set(valid.map((member) => member.id))];

	const warnings: string[] = [];
	if (invalid.length > 0) {
		warnings.push(`Invalid or unauthorized assignee emails: ${invalid.map(String).join(', ')}`);
	}
	if (ids.length > 0) return { ids, warnings };
	warnings.push('No valid assignee users found, the default assignee is used');
	return { ids: [inspection.createdById], warnings };
}

const memberOf = (task: unknown, name: string): unknown =>
	typeof task === 'object' && task !== null
		? Object.entries(task).find(([key]) => key === name)?.[1]
		: undefined;

/** Makes the task of a create request. Whatever goes wrong is a warning: the inspection stays (warning case 3). */
export function createTask(task: unknown, context: TaskContext): TaskOutcome {
	const { store, settings, organization, inspection } = context;
	const failed = (reason: string, warnings: string[] = []) => ({
		taskId: null,
		warnings: [...warnings, `Task creation failed: ${reason}`],
	});
	if (settings.taskFailure !== null) return failed(settings.taskFailure);
	if (typeof task !== 'object' || task === null || Array.isArray(task)) {
		return failed('task is not an object');
	}

	const { ids, warnings } = resolveAssignees(assigneesOf(task), context);
	const title = memberOf(task, 'title');
	const instructions = memberOf(task, 'instructions');
	try {
		const dueAt = dueDateOf(memberOf(task, 'due_date_time'), organization.timeZone);
		const made = store.addTask({
			organizationId: organization.id,
			inspectionId: inspection.id,
			title: typeof title === 'string' && title !== '' ? title : inspection.name,
			instructions: typeof instructions === 'string' ? instructions : '',
			priority: priorityOf(memberOf(task, 'priority')),
			dueAt,
			assigneeIds: ids,
		});
		return { taskId: made.id, warnings };
	} catch (error) {
		return failed(error instanceof Error ? error.message : String(error), warnings);
	}
}
