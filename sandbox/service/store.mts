import { Catalog, madeBy } from './catalog.mts';
import { InspectionList } from './inspectionList.mts';
import type { FileRecord, Inspection, Task } from './model.mts';
import {
	answersOf,
	fileOf,
	type InspectionPatch,
	type InspectionSpec,
	need,
	type WriteTiming,
} from './specs.mts';
import { type Ticks, ticksOf, ticksOfMs } from './time.mts';

/** A new inspection that read requests don't return until `visibleAt`. */
interface LateCommit {
	visibleAt: Ticks;
	inspection: Inspection;
}

/**
 * All data of the service, in memory. Read requests return a write immediately, except a new inspection that was added with
 * `visibleInMs`. Every write gets a unique timestamp, unless the caller chooses one.
 */
export class Store extends Catalog {
	tasks: Task[] = [];
	/** The versions that read requests return, by ID, in the order in which they became visible. */
	private rows = new Map<string, Inspection>();
	private pending: LateCommit[] = [];
	/**
	 * The inspections of each organization, and of all organizations under the key `undefined`. Cached until an
	 * inspection changes.
	 */
	private lists = new Map<string | undefined, InspectionList<Inspection>>();

	/** Adds an inspection. Returns it even if read requests don't return it yet. */
	addInspection({ template, ...spec }: InspectionSpec, timing: WriteTiming = {}): Inspection {
		const found = need(this.findTemplate(null, template), `template ${template}`);
		const { organizationId, teamId } = found;
		const createdById = spec.createdById ?? need(this.members(organizationId)[0], 'owner').id;
		const id = spec.id ?? this.newId('inspection');
		const inspection: Inspection = {
			id,
			organizationId,
			teamId,
			templateId: found.id,
			name: `${found.name} ${id.slice(0, 8)}`,
			status: 'new',
			description: '',
			...madeBy(createdById, this.stampOf(timing)),
			timeZone: need(this.organizations.get(organizationId), 'organization').timeZone,
			customFields: [],
			locations: [],
			sharedWithIds: [],
			answers: [],
			files: [],
			...this.changeOf(found.id, spec),
		};
		const { visibleInMs = 0 } = timing;
		const visibleAt = this.clock.now() + ticksOfMs(visibleInMs);
		if (visibleInMs > 0) this.pending.push({ visibleAt, inspection });
		else this.show(inspection);
		return inspection;
	}

	/** Changes an inspection. Without a patch, only its updated_at changes. */
	updateInspection(
		id: string,
		patch: InspectionPatch = {},
		timing: Pick<WriteTiming, 'at'> = {},
	): void {
		const inspection = need(this.find(id), `inspection ${id}`);
		const change = this.changeOf(inspection.templateId, patch);
		this.show({ ...inspection, ...change, updatedAt: this.stampOf(timing) });
	}

	/** Updates the `count` inspections that have the oldest updated_at. */
	updateOldest(count: number, patch: InspectionPatch = {}): void {
		for (const { id } of this.inspections().slice(0, count)) this.updateInspection(id, patch);
	}

	removeInspection(id: string): void {
		this.rows.delete(id);
		this.pending = this.pending.filter(({ inspection }) => inspection.id !== id);
		this.lists.clear();
	}

	addTask(task: Omit<Task, 'id'>): Task {
		const added: Task = { id: this.newId('task'), ...task };
		this.tasks.push(added);
		return added;
	}

	/** Returns the currently visible inspections, of one organization or of all, ascending by updated_at. */
	inspections(organizationId?: string): Inspection[] {
		return [...this.listOf(organizationId).sorted({ sort_by: 'updated_at', sort_order: 'asc' })];
	}

	/** Returns an inspection if it's currently visible. */
	find(id: string): Inspection | undefined {
		this.settle();
		return this.rows.get(id);
	}

	/** Returns the list of currently visible inspections, of one organization or of all. */
	listOf(organizationId?: string): InspectionList<Inspection> {
		this.settle();
		const known = this.lists.get(organizationId);
		if (known !== undefined) return known;
		const all = [...this.rows.values()];
		const list = new InspectionList(
			organizationId === undefined
				? all
				: all.filter((one) => one.organizationId === organizationId),
		);
		this.lists.set(organizationId, list);
		return list;
	}

	/** Finds a file by its ID, in any visible inspection. */
	findFile(id: string): FileRecord | undefined {
		this.settle();
		const files = [...this.rows.values()].flatMap((inspection) => inspection.files);
		return files.find((file) => file.id === id);
	}

	private show(inspection: Inspection): void {
		this.rows.delete(inspection.id);
		this.rows.set(inspection.id, inspection);
		this.lists.clear();
	}

	/** Makes pending inspections visible if their `visibleAt` has passed. */
	private settle(): void {
		if (this.pending.length === 0) return;
		const now = this.clock.now();
		const due = this.pending.filter(({ visibleAt }) => visibleAt <= now);
		this.pending = this.pending.filter(({ visibleAt }) => visibleAt > now);
		due.sort((a, b) => Number(a.visibleAt - b.visibleAt));
		for (const { inspection } of due) this.show(inspection);
	}

	private changeOf(
		templateId: string,
		{ answers, files, createdAt, ...same }: InspectionPatch,
	): Partial<Inspection> {
		return {
			...same,
			...(createdAt && { createdAt: ticksOf(createdAt) }),
			...(answers && { answers: answersOf(this.template(templateId), answers) }),
			...(files && { files: files.map((file) => fileOf(file, (kind) => this.newId(kind))) }),
		};
	}
}
