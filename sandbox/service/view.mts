import type { Answer, Control, FileRecord, Inspection, Template, User } from './model.mts';
import type { NestedShape, SandboxSettings } from './settings.mts';
import type { Store } from './store.mts';
import { formatTimestamp } from './timestamp.mts';

/** What a view needs to know: the data and how this service writes it. */
export interface ViewContext {
	store: Store;
	settings: SandboxSettings;
}

function userView(store: Store, id: string) {
	const user = store.user(id);
	return { id, name: user?.name ?? '', email: user?.email ?? '' };
}

function teamView(store: Store, id: string) {
	return { id, name: store.team(id)?.name ?? '' };
}

/** Slash-separated labels; without the label the path ends in a slash. */
export function pathOf(control: Control, includesLabel: boolean): string {
	if (includesLabel) return [...control.parents, control.label].join('/');
	return control.parents.map((label) => `${label}/`).join('');
}

function controlView(control: Control, settings: SandboxSettings) {
	const options: Record<string, unknown> = { ...control.options };
	if (settings.multipleOption !== null && control.type === 'dropdown') {
		options[settings.multipleOption] = control.multiple;
	}
	return {
		id: control.id,
		field_id: control.fieldId,
		type: control.type,
		path: pathOf(control, settings.pathIncludesLabel),
		label: control.label,
		children_count: control.childIds.length,
		children: control.childIds,
		parent_id: control.parentId,
		[settings.optionsName]: options,
	};
}

/** Template of the document, with `data` when asked for. */
export function templateView(
	template: Template,
	{ store, settings }: ViewContext,
	withControls: boolean,
) {
	const view = {
		id: template.id,
		name: template.name,
		template_id: template.identifier,
		description: template.description,
		created_at: formatTimestamp(template.createdAt, settings.timestampPrecision),
		created_by: userView(store, template.createdById),
		updated_at: formatTimestamp(template.updatedAt, settings.timestampPrecision),
		updated_by: userView(store, template.updatedById),
		team: teamView(store, template.teamId),
	};
	if (!withControls) return view;
	return {
		...view,
		data: {
			control_count: template.controls.length,
			controls: template.controls.map((control) => controlView(control, settings)),
		},
	};
}

function nestedView<T extends { id: string; name: string }>(full: T, shape: NestedShape) {
	switch (shape) {
		case 'full':
			return full;
		case 'idName':
			return { id: full.id, name: full.name };
		case 'idOnly':
			return { id: full.id };
		case 'idString':
			return full.id;
	}
}

function nestedTemplate(inspection: Inspection, context: ViewContext) {
	const template = context.store.findTemplate(null, inspection.templateId);
	if (template === undefined) return null;
	return nestedView(templateView(template, context, false), context.settings.templateShape);
}

/** Windows names of the zones that the sandbox's data uses. */
const WINDOWS_ZONES: Record<string, string> = {
	'America/New_York': 'Eastern Standard Time|GMT-04:00',
	'Europe/Berlin': 'W. Europe Standard Time|GMT+02:00',
	UTC: 'UTC|GMT+00:00',
};

function zoneView(timeZone: string, form: SandboxSettings['timezoneForm']): string {
	return form === 'windows' ? (WINDOWS_ZONES[timeZone] ?? `${timeZone}|GMT+00:00`) : timeZone;
}

/** The members that every read of an inspection has. */
export function inspectionView(inspection: Inspection, context: ViewContext) {
	const { store, settings } = context;
	return {
		id: inspection.id,
		name: inspection.name,
		status: inspection.status,
		description: inspection.description,
		created_at: formatTimestamp(inspection.createdAt, settings.timestampPrecision),
		created_by: userView(store, inspection.createdById),
		updated_at: formatTimestamp(inspection.updatedAt, settings.timestampPrecision),
		updated_by: userView(store, inspection.updatedById),
		timezone: zoneView(inspection.timeZone, settings.timezoneForm),
		custom_fields: inspection.customFields,
		custom_fields_count: inspection.customFields.length,
		team: nestedView(teamView(store, inspection.teamId), settings.teamShape),
		template: nestedTemplate(inspection, context),
		locations: inspection.locations,
		shared_with_users_count: inspection.sharedWithIds.length,
	};
}

function answerView(answer: Answer, control: Control, settings: SandboxSettings) {
	const path = pathOf(control, settings.pathIncludesLabel);
	const isPlain = control.repeatableId === null && settings.plainItemOrder === 'absent';
	return {
		field_id: control.fieldId,
		template_control_id: control.id,
		path: answer.order === 1 ? path : `${path}:${String(answer.order)}`,
		label: control.label,
		type: control.type,
		response: { value: answer.value },
		...(isPlain ? {} : { repeat_section_order: answer.order }),
		...(answer.flagged ? { is_flagged: true } : {}),
	};
}

/** The inspection data object; `only` keeps the answers of those controls. */
export function dataView(
	inspection: Inspection,
	{ store, settings }: ViewContext,
	only: ReadonlySet<string> | null = null,
) {
	const controls = new Map(
		store
			.findTemplate(null, inspection.templateId)
			?.controls.map((control) => [control.id, control]),
	);
	const items = inspection.answers.flatMap((answer) => {
		const control = controls.get(answer.controlId);
		if (control === undefined || (only !== null && !only.has(control.id))) return [];
		return [answerView(answer, control, settings)];
	});
	if (items.length === 0 && settings.unpopulatedData !== 'emptyItems') {
		return settings.unpopulatedData === 'null' ? null : undefined;
	}
	return { item_type: 'question_response', items };
}

function fileView(file: FileRecord, shape: SandboxSettings['fileShape']) {
	if (shape === 'idOnly') return { id: file.id };
	return { id: file.id, name: file.name, type: file.kind, content_type: file.contentType };
}

export function filesView(inspection: Inspection, { settings }: ViewContext) {
	return {
		files: inspection.files.map((file) => fileView(file, settings.fileShape)),
		...(settings.filesCount ? { files_count: inspection.files.length } : {}),
	};
}

export function sharedUsersView(inspection: Inspection, { store }: ViewContext) {
	return {
		shared_with_users: inspection.sharedWithIds
			.map((id) => store.user(id))
			.filter((user): user is User => user !== undefined)
			.map((user) => ({ id: user.id, name: user.name, email: user.email })),
	};
}

/** An inspection with all that includes can add. */
export function wholeInspectionView(inspection: Inspection, context: ViewContext) {
	return {
		...inspectionView(inspection, context),
		...filesView(inspection, context),
		...sharedUsersView(inspection, context),
		data: dataView(inspection, context),
	};
}
