import type { Inspection } from './model.mts';
import { dataView, filesView, inspectionView, sharedUsersView, type ViewContext } from './view.mts';

/** What `includes` can add to an inspection. */
const ENRICHMENTS = {
	data: (inspection: Inspection, context: ViewContext) => ({ data: dataView(inspection, context) }),
	files: filesView,
	shared_with_users: sharedUsersView,
};

/** `"a":1,"b":2` of an object; members that are undefined fall out. */
const membersOf = (value: object): string => JSON.stringify(value).slice(1, -1);

/**
 * Inspections as JSON text. A version never changes, so its text is kept as long as the version lives and
 * neither settings nor names of templates, teams and users have changed.
 */
export class InspectionJson {
	private texts = new WeakMap<Inspection, Map<string, string>>();
	private revision = '';
	private readonly context: ViewContext;

	constructor(context: ViewContext) {
		this.context = context;
	}

	/** To be called once per request: forgets texts that may be old. */
	refresh(): void {
		const { store, settings } = this.context;
		const revision = `${String(store.revision)} ${Object.values(settings).join(' ')}`;
		if (revision === this.revision) return;
		this.texts = new WeakMap();
		this.revision = revision;
	}

	/** `onlyControls` keeps the answers of these controls; null keeps all. */
	text(
		inspection: Inspection,
		includes: ReadonlySet<string>,
		onlyControls: ReadonlySet<string> | null,
	): string {
		const parts = [this.part(inspection, 'base', inspectionView)];
		for (const [name, view] of Object.entries(ENRICHMENTS)) {
			if (!includes.has(name)) continue;
			if (name === 'data' && onlyControls !== null) {
				parts.push(membersOf({ data: dataView(inspection, this.context, onlyControls) }));
			} else parts.push(this.part(inspection, name, view));
		}
		return `{${parts.filter((part) => part !== '').join(',')}}`;
	}

	private part(
		inspection: Inspection,
		name: string,
		view: (inspection: Inspection, context: ViewContext) => object,
	): string {
		const kept = this.texts.get(inspection) ?? new Map<string, string>();
		this.texts.set(inspection, kept);
		const text = kept.get(name) ?? membersOf(view(inspection, this.context));
		kept.set(name, text);
		return text;
	}
}
