import { type ControlIds, storedResponsesOf } from '../answer/storedResponse';
import { groupBy } from '../groupBy';
import { idKey } from '../id';
import { isRecord, type JsonRecord, type JsonValue, textOf } from '../json';
import { isBlank } from '../normalizeText';
import { controlFinder } from '../row/placedAnswer';
import type { Control } from '../template/control';
import type { Form } from '../template/form';
import { ANSWERABLE_TYPES } from '../template/questions';
import { type Answer, type Entry, entryOf, type ReportFile, type Zones } from './reportEntry';

/**
 * If the instances of a section have more questions than this, only answered ones are shown. Chosen: about 1,000 pages.
 * Without a limit, a large template with many instances would fill the memory.
 */
const MAX_ENTRIES = 20_000;

/** The questions under a heading. */
export interface Block {
	/** The page or section. Null for questions outside of all pages, and for removed questions. */
	readonly control: Control | null;
	readonly title: string;
	readonly entries: Entry[];
}

/**
 * Arranges the answers and files of an inspection in the order of the form. An unanswered question has an entry without
 * text. A repeatable section has a block for each of its instances. The last block has the answers of questions that
 * aren't in the template. `others` are the files that belong to no question. `form` is undefined if the template
 * couldn't be read. Dates are in `timeZone` (IANA).
 */
export function reportBlocks(
	form: Form | undefined,
	inspection: JsonRecord,
	files: readonly ReportFile[],
	timeZone: string,
): { blocks: readonly Block[]; others: readonly ReportFile[] } {
	const controls = form?.controls ?? [];
	const sections = sectionsOf(controls);
	const zones = { timeZone, inspectionZone: textOf(inspection.timezone) };
	const findControl = controlFinder(
		controls.map((control) => ({ control, fieldId: control.fieldId, controlId: control.id })),
	);
	const find = (ids: ControlIds) => findControl(ids)?.control;
	const placed = (control: Control | undefined, given: unknown) => {
		const isRepeated = control !== undefined && sections.get(control) !== null;
		return { control, order: isRepeated && typeof given === 'number' ? given : 1 };
	};
	const responses = storedResponsesOf(inspection, (ids) => find(ids)?.path);
	const answers = (responses ?? []).map((response): Answer => {
		return { ...placed(find(response), response.order), response, files: [] };
	});
	const byFileId = new Map(
		answers.flatMap((answer) => fileIds(answer.response?.value).map((id) => [id, answer] as const)),
	);
	// An answer can consist of the IDs of its files. Or a file can name its question, with the field names of an answer.
	// The API documents neither (`File` in docs/service.openapi.yaml).
	const others = files.filter((file) => {
		const { id, field_id, template_control_id, repeat_section_order } = file.listed;
		const answer = byFileId.get(idKey(textOf(id) ?? ''));
		const [fieldId, controlId] = [textOf(field_id) ?? '', textOf(template_control_id) ?? ''];
		const control = find({ fieldId, controlId });
		const place = placed(control, repeat_section_order);
		if (answer !== undefined) answer.files.push(file);
		else if (control !== undefined) answers.push({ ...place, response: undefined, files: [file] });
		return answer === undefined && control === undefined;
	});
	const title = form === undefined ? 'Answers' : 'Questions that are no longer in the template';
	const removed = answers.filter(({ control }) => control === undefined);
	const entries = removed.map((answer) => entryOf([answer], undefined, zones));
	const blocks = blocksOf(sections, answers, zones);
	return {
		blocks: removed.length === 0 ? blocks : [...blocks, { control: null, title, entries }],
		others,
	};
}

/**
 * Returns the innermost repeatable section of each control, in the order of the form. A repeatable section is in
 * itself. Null outside repeatable sections.
 */
function sectionsOf(controls: readonly Control[]): Map<Control, Control | null> {
	const sections = new Map<Control, Control | null>();
	for (const control of controls) {
		const around = (control.parent && sections.get(control.parent)) ?? null;
		sections.set(control, control.isRepeatable ? control : around);
	}
	return sections;
}

/** Returns the IDs of files that an answer can consist of: text, or objects with an ID, also in a list. */
function fileIds(value: JsonValue | undefined): string[] {
	const values = Array.isArray(value) ? value : [value];
	const ids = values.map((one) => textOf(isRecord(one) ? (one.id ?? one.file_id) : one));
	return ids.flatMap((id) => (id === undefined ? [] : idKey(id)));
}

function blocksOf(
	sections: ReadonlyMap<Control, Control | null>,
	answers: readonly Answer[],
	zones: Zones,
): Block[] {
	const bySection = groupBy(answers, ({ control }) => control && sections.get(control));
	const ofForm = groupBy(bySection.get(null) ?? [], ({ control }) => control);
	const members = groupBy(sections.keys(), (control) => sections.get(control));
	const blocks: Block[] = [];
	const open = (control: Control | null, suffix: string) => {
		const title = `${control === null ? 'General' : control.label || 'Section'}${suffix}`;
		blocks.push({ control, title, entries: [] });
	};
	const add = (control: Control, order: number, given: typeof ofForm) => {
		const { parent } = control;
		if (isHeading(control)) {
			open(control, control.isRepeatable ? ` ${String(order)}` : '');
			return;
		}
		const entry = entryOf(given.get(control) ?? [], control, zones);
		if (entry.text === '' && entry.files.length === 0 && !isQuestion(control)) return;
		const last = blocks.at(-1);
		if (last?.control !== parent) open(parent, last === undefined ? '' : ' (continued)');
		blocks.at(-1)?.entries.push(entry);
	};
	for (const [control, section] of sections) {
		if (section === null) add(control, 1, ofForm);
		if (section !== control) continue;
		// Here, the form has this repeatable section. A repeatable section within it follows after its last instance.
		const instances = groupBy(bySection.get(section) ?? [], ({ order }) => order);
		const answered = [...instances].filter(([, own]) => own.some(isAnswered));
		if (answered.length === 0) open(section, ': none');
		const all = members.get(section) ?? [];
		const isHuge = all.length * answered.length > MAX_ENTRIES;
		for (const [order, own] of answered.sort(([a], [b]) => a - b)) {
			const given = groupBy(own, (answer) => answer.control);
			const shown = isHuge ? [section, ...own.flatMap((answer) => answer.control ?? [])] : all;
			for (const member of new Set(shown)) add(member, order, given);
		}
	}
	return blocks;
}

function isAnswered({ response, files }: Answer): boolean {
	return files.length > 0 || !isBlank(response?.value);
}

function isHeading({ children, isRepeatable, type }: Control): boolean {
	return isRepeatable || children.length > 0 || /^(?:page|section)$/i.test(type);
}

/** The API doesn't document the types of controls for files, such as photos and signatures. */
const FILE_TYPE = /photo|picture|image|signature|video|audio|media|file|attachment|instacount/i;
const ANSWERABLE = new Set(ANSWERABLE_TYPES.map((type) => type.toLowerCase()));

/** Whether the form asks for this control. Not so for others, such as an instruction. */
function isQuestion({ type }: Control): boolean {
	return ANSWERABLE.has(type.toLowerCase()) || FILE_TYPE.test(type);
}
