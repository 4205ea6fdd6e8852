import type { Answer, Control, History, Inspection, Template } from './model.mts';
import type { NestedShape, SandboxSettings } from './settings.mts';
import type { Store } from './store.mts';
import { formatTimestamp, shownPrecisionOf } from './time.mts';

/** The service's data, and the settings that change how responses show it. */
export interface ViewContext {
	store: Store;
	settings: SandboxSettings;
}

function userView(id: string, { store }: ViewContext) {
	const { name = '', email = '' } = store.users.get(id) ?? {};
	return { id, name, email };
}

const teamView = (id: string, { store }: ViewContext) => ({
	id,
	name: store.teams.get(id)?.name ?? '',
});

/** Returns who created and last changed a record, and when, as responses show it. */
function historyView(it: History, context: ViewContext) {
	const precision = shownPrecisionOf(context.settings);
	return {
		created_at: formatTimestamp(it.createdAt, precision),
		created_by: userView(it.createdById, context),
		updated_at: formatTimestamp(it.updatedAt, precision),
		updated_by: userView(it.updatedById, context),
	};
}

/**
 * Returns the path of a control: the labels of its parents and its own label, separated by slashes. If the settings
 * omit its own label, the path ends with a slash.
 */
const pathOf = ({ parents, label }: Control, { pathIncludesLabel }: SandboxSettings): string =>
	[...parents, pathIncludesLabel ? label : ''].join('/');

const controlView = (control: Control, settings: SandboxSettings) => ({
	id: control.id,
	field_id: control.fieldId,
	type: control.type,
	path: pathOf(control, settings),
	label: control.label,
	children_count: control.childIds.length,
	children: control.childIds,
	parent_id: control.parentId,
	options: control.options,
});

/** Returns a template as responses show it (Template in the OpenAPI document), without `data`. */
export function templateView(template: Template, context: ViewContext) {
	return {
		id: template.id,
		name: template.name,
		template_id: template.identifier,
		description: template.description,
		...historyView(template, context),
		team: teamView(template.teamId, context),
	};
}

/** Returns the `data` of a template (TemplateData in the OpenAPI document). */
export const templateDataView = ({ controls }: Template, { settings }: ViewContext) => ({
	control_count: controls.length,
	controls: controls.map((control) => controlView(control, settings)),
});

function nestedView<T extends { id: string; name: string }>(full: T, shape: NestedShape) {
	const { id, name } = full;
	return { full, idName: { id, name }, idOnly: { id }, idString: id }[shape];
}

/** Returns an inspection's template in the shape that the settings choose. */
function nestedTemplateView(template: ReturnType<typeof templateView>, settings: SandboxSettings) {
	const { name, template_id } = template;
	const { templateShape: shape } = settings;
	switch (shape) {
		case 'identifierName':
			return { name, template_id };
		case 'identifier':
			return { template_id };
		case 'name':
			return { name };
		default:
			return nestedView(template, shape);
	}
}

function answerView(answer: Answer, control: Control, settings: SandboxSettings) {
	const path = pathOf(control, settings);
	const { itemNames: names, itemOrder, plainItemOrder } = settings;
	const isPlain = control.repeatableId === null && plainItemOrder === 'absent';
	const order = itemOrder === 'text' ? String(answer.order) : answer.order;
	const shownPath = answer.order === 1 ? path : `${path}:${String(answer.order)}`;
	return {
		field_id: control.fieldId,
		template_control_id: control.id,
		...(names === 'both' || names === 'path' ? { path: shownPath } : {}),
		...(names === 'both' || names === 'label' ? { label: control.label } : {}),
		type: control.type,
		response: { value: answer.value },
		...(isPlain || itemOrder === 'absent' ? {} : { repeat_section_order: order }),
		...(answer.flagged ? { is_flagged: true } : {}),
	};
}

/** Returns the `data` of an inspection (InspectionData in the OpenAPI document). */
function dataView({ templateId, answers }: Inspection, { store, settings }: ViewContext) {
	const controls = new Map(
		store.template(templateId).controls.map((control) => [control.id, control]),
	);
	const items = answers.flatMap((answer) => {
		const control = controls.get(answer.controlId);
		return control === undefined ? [] : [answerView(answer, control, settings)];
	});
	return { item_type: 'question_response', items };
}

const filesView = ({ files }: Inspection, { settings }: ViewContext) =>
	files.map(({ id, name, kind, contentType }) =>
		settings.fileShape === 'idOnly' ? { id } : { id, name, type: kind, content_type: contentType },
	);

/** All values of the query parameter `includes` that an inspection supports. */
const EVERYTHING: ReadonlySet<string> = new Set(['data', 'files', 'shared_with_users']);

/** Returns an inspection as responses show it (Inspection in the OpenAPI document). */
export function inspectionView(
	inspection: Inspection,
	context: ViewContext,
	includes = EVERYTHING,
) {
	const { store, settings } = context;
	const { customFields, sharedWithIds } = inspection;
	const template = templateView(store.template(inspection.templateId), context);
	return {
		id: inspection.id,
		name: inspection.name,
		status: inspection.status,
		description: inspection.description,
		...historyView(inspection, context),
		timezone: inspection.timeZone,
		custom_fields: customFields,
		custom_fields_count: customFields.length,
		team: nestedView(teamView(inspection.teamId, context), settings.teamShape),
		template: nestedTemplateView(template, settings),
		locations: inspection.locations,
		shared_with_users_count: sharedWithIds.length,
		...(includes.has('data') && { data: dataView(inspection, context) }),
		...(includes.has('files') && { files: filesView(inspection, context) }),
		...(includes.has('shared_with_users') && {
			shared_with_users: sharedWithIds.map((id) => userView(id, context)),
		}),
	};
}
