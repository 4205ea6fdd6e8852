import { Catalog, madeBy } from './catalog.mts';
import { scatter } from './guid.mts';
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

export type SortKey = 'updatedAt' | 'createdAt';

/** A new inspection that reads see only later. */
interface LateCommit {
	visibleAt: Ticks;
	inspection: Inspection;
}

/**
 * All data of the service, in memory. Writes are synchronous and visible at once, unless their timing differs. Every
 * write gets a unique timestamp, unless one is given.
 */
export class Store extends Catalog {
	tasks: Task[] = [];
	/** The versions that reads see, by ID, in write order. */
	private rows = new Map<string, Inspection>();
	private pending: LateCommit[] = [];
	/** Sorted rows by timestamp and organization, cached until the rows change. */
	private sorted: Partial<Record<SortKey, Map<string, Inspection[]>>> = {};

	/** Returns the written version, even if reads don't see it yet. */
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

	/** Changes an inspection. Without a patch, it only gets a new updated_at. */
	updateInspection(
		id: string,
		patch: InspectionPatch = {},
		timing: Pick<WriteTiming, 'at'> = {},
	): void {
		const inspection = need(this.find(id), `inspection ${id}`);
		const change = this.changeOf(inspection.templateId, patch);
		this.show({ ...inspection, ...change, updatedAt: this.stampOf(timing) });
	}

	/** Changes the inspections with the oldest updated_at. */
	updateOldest(count: number, patch: InspectionPatch = {}): void {
		for (const { id } of this.inspections().slice(0, count)) this.updateInspection(id, patch);
	}

	removeInspection(id: string): void {
		this.rows.delete(id);
		this.pending = this.pending.filter(({ inspection }) => inspection.id !== id);
		this.sorted = {};
	}

	addTask(task: Omit<Task, 'id'>): Task {
		const added: Task = { id: this.newId('task'), ...task };
		this.tasks.push(added);
		return added;
	}

	/** Everything that a read sees now, of one organization or of all, ascending by updated_at. */
	inspections(organizationId?: string): Inspection[] {
		this.settle();
		const rows = this.rowsBy('updatedAt');
		return rows.filter((one) => (organizationId ?? one.organizationId) === one.organizationId);
	}

	/** The inspection as a read sees it now. */
	find(id: string): Inspection | undefined {
		this.settle();
		return this.rows.get(id);
	}

	/** Everything that a read of an organization sees now, sorted by a timestamp. */
	sortedBy(key: SortKey, organizationId: string): readonly Inspection[] {
		this.settle();
		this.sorted[key] ??= Map.groupBy(this.rowsBy(key), (one) => one.organizationId);
		return this.sorted[key].get(organizationId) ?? [];
	}

	/** Finds a file of any inspection by its ID. */
	findFile(id: string): FileRecord | undefined {
		this.settle();
		const files = [...this.rows.values()].flatMap((inspection) => inspection.files);
		return files.find((file) => file.id === id);
	}

	private show(inspection: Inspection): void {
		this.rows.delete(inspection.id);
		this.rows.set(inspection.id, inspection);
		this.sorted = {};
	}

	private rowsBy(key: SortKey): Inspection[] {
		return [...this.rows.values()].sort((a, b) => compare(key, a, b));
	}

	/** Makes late commits visible when they are due. */
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

/**
 * Sort order of a list, ascending. Equal timestamps get an order that is stable but unpredictable, because the
 * document (listInspections) promises none.
 */
function compare(key: SortKey, a: Inspection, b: Inspection): number {
	if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
	const tie = scatter(a.id) - scatter(b.id);
	return tie || (a.id < b.id ? -1 : Number(a.id > b.id));
}
