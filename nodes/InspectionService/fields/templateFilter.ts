import type { TemplateCache } from '../cache/templateCache';
import { guidOf } from '../domain/id';
import { textOf } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { RequestFailure } from '../domain/request/requestFailure';
import {
	hasTemplate,
	hasTemplateGuid,
	matchOf,
	type TemplateNames,
} from '../domain/template/templateOfInspection';

export const NO_TEMPLATES =
	"The filter 'Template' rejects every inspection, because this service doesn't send the template of an inspection. Remove the filter.";
export const ONLY_NAMES =
	"The filter 'Template' compared only names, because this service sends neither the ID nor the identifier of a template. Inspections of another template with the same name are included.";

export class TemplateFilter {
	private readonly reference: string;
	private readonly templates: TemplateCache;
	private names: TemplateNames | undefined;
	private hasSeenAny = false;
	private hasSeenTemplate = false;
	private hasMatchedName = false;

	/** `reference` is a GUID or an identifier. */
	constructor(reference: string, templates: TemplateCache) {
		this.reference = reference;
		this.templates = templates;
	}

	/**
	 * Call before `matches`. Fetches the template if its GUID alone isn't enough to match these inspections. Throws
	 * RequestFailure if the template can't be read, because it's unknown then which inspections match.
	 */
	async prepare(inspections: readonly InspectionRecord[]): Promise<void> {
		const isGuid = guidOf(this.reference) !== undefined;
		const isEnough =
			isGuid && inspections.every((one) => hasTemplateGuid(one) || !hasTemplate(one));
		if (this.names !== undefined || isEnough) return;
		const request = this.templates.get(this.reference, { includeControls: !isGuid });
		const { id, template_id, name } = await request.catch((error: unknown) => {
			if (!(error instanceof RequestFailure)) throw error;
			const message = `The filter 'Template' can't be applied. ${error.facts.message}`;
			throw error.with({ message });
		});
		const identifier = textOf(template_id) ?? (isGuid ? undefined : this.reference);
		this.names = { id: textOf(id) ?? this.reference, identifier, name: textOf(name) };
	}

	matches(inspection: InspectionRecord): boolean {
		this.hasSeenAny = true;
		this.hasSeenTemplate ||= hasTemplate(inspection);
		const match = matchOf(inspection, this.names ?? { id: this.reference });
		this.hasMatchedName ||= match === 'name';
		return match !== undefined;
	}

	/** Whether an inspection matched only by its template's name, which another template can share. */
	hasMatchedOnlyName(): boolean {
		return this.hasMatchedName;
	}

	/** Whether `matches` was called, but no inspection so far contained its template. */
	hasSeenNoTemplate(): boolean {
		return this.hasSeenAny && !this.hasSeenTemplate;
	}
}
