import type { Inspection } from './model.mts';
import type { SandboxSettings } from './settings.mts';
import { dataView, filesView, inspectionView, sharedUsersView, type ViewContext } from './view.mts';

export interface Enrichment {
	data: boolean;
	files: boolean;
	sharedUsers: boolean;
	/** Keeps the answers of these controls only; null keeps all. */
	onlyControls: ReadonlySet<string> | null;
}

/** Members of one inspection version as JSON text without the braces, made when first wanted. */
interface Fragments {
	revision: string;
	base: string;
	data?: string;
	files?: string;
	sharedUsers?: string;
}

/** `"a":1,"b":2` of an object; members that are undefined fall out. */
const membersOf = (value: object): string => JSON.stringify(value).slice(1, -1);

/**
 * Inspections as JSON text. A version never changes, so its text is kept as long as the version lives and
 * neither settings nor names of templates, teams and users have changed.
 */
export class InspectionJson {
	private readonly fragments = new WeakMap<Inspection, Fragments>();
	private readonly context: ViewContext;

	constructor(context: ViewContext) {
		this.context = context;
	}

	/** What the texts made now depend on; compute it once per request. */
	revision(): string {
		const settings: SandboxSettings = this.context.settings;
		return `${String(this.context.store.catalogRevision)} ${Object.values(settings).join(' ')}`;
	}

	text(inspection: Inspection, wanted: Enrichment, revision: string): string {
		const kept = this.fragmentsOf(inspection, revision);
		const parts = [kept.base];
		if (wanted.data) parts.push(this.dataText(inspection, wanted, kept));
		if (wanted.files) {
			parts.push((kept.files ??= membersOf(filesView(inspection, this.context))));
		}
		if (wanted.sharedUsers) {
			parts.push((kept.sharedUsers ??= membersOf(sharedUsersView(inspection, this.context))));
		}
		return `{${parts.filter((part) => part !== '').join(',')}}`;
	}

	private fragmentsOf(inspection: Inspection, revision: string): Fragments {
		const known = this.fragments.get(inspection);
		if (known?.revision === revision) return known;
		const made = { revision, base: membersOf(inspectionView(inspection, this.context)) };
		this.fragments.set(inspection, made);
		return made;
	}

	private dataText(inspection: Inspection, wanted: Enrichment, kept: Fragments): string {
		const make = () => membersOf({ data: dataView(inspection, this.context, wanted.onlyControls) });
		if (wanted.onlyControls !== null) return make();
		return (kept.data ??= make());
	}
}
