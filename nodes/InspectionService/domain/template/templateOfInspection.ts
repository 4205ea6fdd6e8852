import { guidOf, idKey, sentId } from '../id';
import { isRecord, type JsonRecord, textOf } from '../json';
import { foldName } from '../normalizeText';

/** The ID, identifier, and name of a template. Several templates can have the same name. */
export interface TemplateNames {
	readonly id: string;
	readonly identifier?: string | undefined;
	readonly name?: string | undefined;
}

/**
 * What an inspection contains about its template. The API doesn't document its form (`Inspection` in
 * docs/service.openapi.yaml).
 */
interface References {
	readonly guids: readonly string[];
	/** Text in the place of an ID or identifier that isn't a GUID. */
	readonly identifiers: readonly string[];
	/** The name, or text without a place of its own, which can be an identifier or a name. */
	readonly names: readonly string[];
}

function referencesIn({ template, template_id }: JsonRecord): References {
	const inside: JsonRecord = isRecord(template) ? template : { name: template };
	const texts = (values: readonly unknown[]) => values.flatMap((value) => textOf(value) ?? []);
	const ids = texts([inside.id, inside.template_id, template_id]);
	const names = texts([inside.name]);
	const isGuid = (text: string) => guidOf(text) !== undefined;
	return {
		guids: (isRecord(template) ? ids : [...names, ...ids]).filter(isGuid),
		identifiers: ids.filter((text) => !isGuid(text)),
		names: names.filter((text) => !isGuid(text)),
	};
}

/**
 * Returns the strongest reference to an inspection's template with which the template can be fetched: its GUID, else
 * its identifier. A template that is only text can also be a name. Undefined if the reference is missing or unusable
 * (`sentId`).
 */
export function templateIdOf(inspection: JsonRecord): string | undefined {
	const { guids, identifiers, names } = referencesIn(inspection);
	const texts = isRecord(inspection.template) ? [] : names;
	return [...guids, ...identifiers, ...texts].map(sentId).find((id) => id !== undefined);
}

/** Returns the key of an inspection's template in a map of templates. Empty if `templateIdOf` finds no reference. */
export function templateKey(inspection: JsonRecord): string {
	return idKey(templateIdOf(inspection) ?? '');
}

/**
 * Returns the reference by which an inspection matches a template. Undefined if it's from a different template. Only
 * the inspection's strongest reference decides: a GUID, else an identifier, else a name. A name can't outvote the
 * others, because two templates can have the same one.
 */
export function matchOf(
	inspection: JsonRecord,
	{ id, identifier, name }: TemplateNames,
): 'id' | 'name' | undefined {
	const { guids, identifiers, names } = referencesIn(inspection);
	const own = new Set([id, identifier ?? id].map(idKey));
	const isOwn = (text: string) => own.has(idKey(text));
	if (guids.length > 0) return guids.some((guid) => idKey(guid) === idKey(id)) ? 'id' : undefined;
	if (identifiers.length > 0) return identifiers.some(isOwn) ? 'id' : undefined;
	if (!isRecord(inspection.template) && names.some(isOwn)) return 'id';
	const folded = name === undefined ? undefined : foldName(name);
	return names.some((text) => foldName(text) === folded) ? 'name' : undefined;
}

/**
 * Whether an inspection can be from a fetched template. Also true if the inspection contains nothing about its
 * template.
 */
export function mayBeOfTemplate(inspection: JsonRecord, template: JsonRecord): boolean {
	if (!hasTemplate(inspection)) return true;
	const [id = '', identifier, name] = [template.id, template.template_id, template.name].map(
		textOf,
	);
	return matchOf(inspection, { id, identifier, name }) !== undefined;
}

export function hasTemplateGuid(inspection: JsonRecord): boolean {
	return referencesIn(inspection).guids.length > 0;
}

export function hasTemplate(inspection: JsonRecord): boolean {
	return Object.values(referencesIn(inspection)).some(({ length }) => length > 0);
}
