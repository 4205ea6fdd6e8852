import type { TemplateCache } from '../cache/templateCache';
import type { TemplateFailures } from '../cache/templateFailures';
import { displayName } from '../domain/displayName';
import { cleanLine } from '../domain/formatting';
import { isRecord, type JsonRecord } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { mapConcurrently, MAX_ACTIVE } from '../domain/mapConcurrently';
import { hasStatus, RequestFailure } from '../domain/request/requestFailure';
import { hasControls } from '../domain/template/control';
import { type Form, formOf } from '../domain/template/form';
import { templateIdOf, templateKey } from '../domain/template/templateOfInspection';

/**
 * Forms by template object, so that each template is parsed only once, even though Get reads one inspection per item.
 */
const FORMS = new WeakMap<JsonRecord, Form>();

function knownForm(template: JsonRecord): Form {
	const form = FORMS.get(template) ?? formOf(template);
	FORMS.set(template, form);
	return form;
}

interface FormSource {
	readonly templates: TemplateCache;
	/**
	 * The template of the filter, if any: then it's the template of the inspections that don't refer to theirs.
	 */
	readonly filtered?: string | undefined;
	/** Set for a poll: a template that has failed for ten minutes then counts as unreadable. */
	readonly failures?: TemplateFailures | undefined;
}

/**
 * Returns the forms of the inspections' templates, by `templateKey`. Also returns a sentence for each template that has
 * no controls or can never be read. Throws RequestFailure if a template can't be read now.
 */
export async function loadForms(
	inspections: readonly InspectionRecord[],
	{ templates, filtered, failures }: FormSource,
): Promise<{ forms: ReadonlyMap<string, Form>; unread: readonly string[] }> {
	const unread: string[] = [];
	const failed: unknown[] = [];
	const read = async ([key, inspection]: readonly [string, InspectionRecord]) => {
		// Fetch by the reference as the service sends it, because a service can compare it as text.
		const reference = templateIdOf(inspection) ?? filtered;
		const request = readTemplate(inspection, reference, templates, failures);
		const template = await request.catch((error: unknown) => {
			if (failures === undefined) throw error;
			// Try all templates of a poll, so that the ten minutes begin for all that fail.
			failed.push(error);
			return undefined;
		});
		if (template === undefined) return [];
		if (typeof template !== 'string') return [[key, knownForm(template)] as const];
		unread.push(`${template}: its answers have the names and values that the service stores.`);
		return [];
	};
	const distinct = new Map(inspections.map((one) => [templateKey(one), one]));
	const found = await mapConcurrently([...distinct], MAX_ACTIVE, read);
	if (failed.length > 0) throw failed[0];
	return { forms: new Map(found.flat()), unread };
}

/** Returns the template of an inspection, or why it can never be read. Throws an error if it can't be read now. */
async function readTemplate(
	inspection: InspectionRecord,
	reference: string | undefined,
	templates: TemplateCache,
	failures: TemplateFailures | undefined,
): Promise<JsonRecord | string> {
	if (reference === undefined)
		return 'The service sent an inspection without the ID of its template';
	const name = shownTemplate(inspection, reference);
	const known = failures?.reasonFor(reference);
	if (known !== undefined) return `The template ${name} ${known}`;
	const template = await templates.get(reference).catch((error: unknown) => {
		if (hasStatus(error, 401, 403, 404)) return "can't be read with this API key";
		if (!(error instanceof RequestFailure)) throw error;
		const { isWrongShape, isTooLarge, message } = error.facts;
		if (isWrongShape || isTooLarge) return `can't be used (${message})`;
		const reason = `has failed for more than ten minutes (${message})`;
		if (failures?.add(reference, reason) === true) return reason;
		throw failureOfTemplate(error, name, failures !== undefined);
	});
	if (typeof template === 'string') return `The template ${name} ${template}`;
	failures?.clear(reference);
	return hasControls(template) ? template : `The template ${name} came without its questions`;
}

/** Returns a template for a message: its name, if the inspection contains one, and the reference. */
function shownTemplate({ template }: InspectionRecord, reference: string): string {
	const shown = cleanLine(reference, 100);
	const name = isRecord(template) ? displayName(template) : null;
	return name === null || name === reference ? shown : `"${cleanLine(name)}" (${shown})`;
}

const WAY_OUT =
	"To leave out its inspections, choose a different template in the filter 'Template'. The outputs 'Simplified' and 'Raw' need no template.";
const WAITS =
	'After ten minutes of failures, its inspections start the workflow with the names and values that the service stores.';

/**
 * Returns the error for an inspection's template that can't be read now. Leaves out the service's advice about a wrong
 * reference, because the user didn't enter this one.
 */
function failureOfTemplate(failure: RequestFailure, name: string, isPoll: boolean): RequestFailure {
	const { message, description, cause } = failure.facts;
	const isRefused = cause === 'configuration-invalid';
	const advice = isRefused ? 'If this continues, ask the service administrator.' : description;
	return failure.with({
		message: `The template ${name} can't be read: ${message}`,
		description: `${isPoll ? WAITS : WAY_OUT} ${advice}`,
		cause: isRefused ? 'temporarily-unavailable' : cause,
	});
}
