import type { Inspection } from './model.mts';
import { dataView, filesView, inspectionView, sharedUsersView, type ViewContext } from './view.mts';

/**
 * Inspections as JSON text, with what `includes` adds. A version never changes, so its text is kept as long as the
 * version lives and neither settings nor names of templates, teams and users have changed.
 */
export class InspectionJson {
	/** By what is included. */
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
		if (revision !== this.revision) this.texts = new WeakMap();
		this.revision = revision;
	}

	/** `onlyControls` keeps the answers of these controls; null keeps all. */
	text(
		inspection: Inspection,
		includes: ReadonlySet<string>,
		onlyControls: ReadonlySet<string> | null,
	): string {
		const kept = this.texts.get(inspection) ?? new Map<string, string>();
		this.texts.set(inspection, kept);
		const key = [...includes, ...(onlyControls ?? [])].join();
		const text = kept.get(key) ?? this.written(inspection, includes, onlyControls);
		kept.set(key, text);
		return text;
	}

	private written(
		inspection: Inspection,
		includes: ReadonlySet<string>,
		onlyControls: ReadonlySet<string> | null,
	): string {
		const { context } = this;
		return JSON.stringify({
			...inspectionView(inspection, context),
			...(includes.has('data') && { data: dataView(inspection, context, onlyControls) }),
			...(includes.has('files') && filesView(inspection, context)),
			...(includes.has('shared_with_users') && sharedUsersView(inspection, context)),
		});
	}
}
