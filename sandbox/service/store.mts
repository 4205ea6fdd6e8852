import { Catalog } from './catalog.mts';
import { type InspectionIndex, InspectionTable, type SortKey } from './inspectionTable.mts';
import type { FileRecord, Inspection, Task } from './model.mts';
import {
	answersOf,
	fileOf,
	type InspectionPatch,
	type InspectionSpec,
	need,
	type WriteTiming,
} from './specs.mts';
import { type Ticks, ticksOf, ticksOfMs } from './timestamp.mts';

/** A late commit: a write that reads do not see yet. */
interface PendingWrite {
	visibleAt: Ticks;
	id: string;
	change: Partial<Inspection>;
	/** Set where the write creates the inspection. */
	created: Inspection | null;
}

/**
 * All data of the service, in memory. Writes are synchronous and take effect at once unless their timing says
 * otherwise; every write gets a timestamp of its own unless it is given one.
 */
export class Store extends Catalog {
	private readonly table = new InspectionTable();
	private taskList: Task[] = [];
	private pending: PendingWrite[] = [];

	/** The version written, which reads see from `timing.visibleAt` on. */
	addInspection({ template, ...spec }: InspectionSpec, timing: WriteTiming = {}): Inspection {
		const found = need(this.findTemplate(null, template), `template ${template}`);
		const { organizationId, teamId } = found;
		const owner = this.members(organizationId)[0];
		const createdById = spec.createdById ?? need(owner, 'user for that team').id;
		const at = this.stampOf(timing);
		const id = spec.id ?? this.newId('inspection');
		const inspection: Inspection = {
			id,
			organizationId,
			teamId,
			templateId: found.id,
			name: `${found.name} ${id.slice(0, 8)}`,
			status: 'new',
			description: '',
			createdAt: at,
			createdById,
			updatedAt: at,
			updatedById: createdById,
			timeZone: need(this.organization(organizationId), 'such organization').timeZone,
			customFields: [],
			locations: [],
			sharedWithIds: [],
			answers: [],
			files: [],
			...this.changeOf(found.id, spec),
		};
		const visibleAt = this.visibleAtOf(timing);
		if (visibleAt === null) this.table.insert(inspection);
		else this.pending.push({ visibleAt, id, change: {}, created: inspection });
		this.onWrite();
		return inspection;
	}

	/** Changes an inspection; without a patch it only gets a new updated_at. */
	updateInspection(id: string, patch: InspectionPatch = {}, timing: WriteTiming = {}): void {
		const visible = this.table.find(id);
		const old = visible ?? this.pending.find((write) => write.id === id)?.created ?? undefined;
		const { templateId } = need(old, `inspection ${id}`);
		const change = { ...this.changeOf(templateId, patch), updatedAt: this.stampOf(timing) };
		const visibleAt = this.visibleAtOf(timing);
		if (visibleAt === null && visible !== undefined) this.table.replace(id, change);
		else this.pending.push({ visibleAt: visibleAt ?? 0n, id, change, created: null });
		this.onWrite();
	}

	removeInspection(id: string): void {
		if (this.table.find(id) === undefined) return;
		this.table.remove(id);
		this.pending = this.pending.filter((write) => write.id !== id);
		this.onWrite();
	}

	addTask(task: Omit<Task, 'id'>): Task {
		const added: Task = { id: this.newId('task'), ...task };
		this.taskList.push(added);
		this.onWrite();
		return added;
	}

	tasks(): readonly Task[] {
		return this.taskList;
	}

	/** All that a read sees now, ascending by updated_at. */
	inspections(organizationId?: string): readonly Inspection[] {
		const ids =
			organizationId === undefined ? [...this.rows.organizations.keys()] : [organizationId];
		return ids.flatMap((id) => [...this.sortedBy(id, 'updatedAt').between(null, null)]);
	}

	/** The inspection as a read sees it now; its late commits take effect first. */
	find(id: string): Inspection | undefined {
		this.settle();
		return this.table.find(id);
	}

	/** One organization's inspections in the order of a timestamp. */
	sortedBy(organizationId: string, key: SortKey): InspectionIndex {
		this.settle();
		return this.table.sortedBy(organizationId, key);
	}

	/** A file of any inspection, by its id. */
	findFile(id: string): FileRecord | undefined {
		this.settle();
		return this.table.findFile(id);
	}

	/** Everything as plain data, late commits included: what a state file keeps. */
	dump() {
		const { sequence, rows, table, taskList: tasks, pending } = this;
		return { sequence, rows, inspections: table.all(), tasks, pending };
	}

	/** Takes the place of everything. */
	restore(state: StoreState): void {
		this.sequence = state.sequence;
		this.rows = state.rows;
		this.taskList = state.tasks;
		this.pending = state.pending;
		this.table.clear();
		for (const inspection of state.inspections) this.table.insert(inspection);
		this.revision += 1;
	}

	/** Lets late commits take effect whose moment has come. */
	private settle(): void {
		if (this.pending.length === 0) return;
		const now = this.clock.now();
		const due = this.pending.filter((write) => write.visibleAt <= now);
		if (due.length === 0) return;
		due.sort((a, b) => Number(a.visibleAt - b.visibleAt));
		const later: PendingWrite[] = [];
		for (const write of due) {
			const current = this.table.find(write.id);
			if (write.created !== null) this.table.insert(write.created);
			else if (current !== undefined) this.table.replace(write.id, lateChange(current, write));
			else later.push(write);
		}
		this.pending = [...this.pending.filter((write) => write.visibleAt > now), ...later];
		if (later.length > 0 && later.length < due.length) this.settle();
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

	/** Null: at once. */
	private visibleAtOf({ visibleAt, visibleInMs = 0 }: WriteTiming): Ticks | null {
		if (visibleAt !== undefined) return ticksOf(visibleAt);
		return visibleInMs <= 0 ? null : this.clock.now() + ticksOfMs(visibleInMs);
	}
}

export type StoreState = ReturnType<Store['dump']>;

/** A late write does not set updated_at back where a newer version was committed before it. */
function lateChange({ updatedAt }: Inspection, { change }: PendingWrite): Partial<Inspection> {
	const stamp = change.updatedAt ?? updatedAt;
	return { ...change, updatedAt: stamp > updatedAt ? stamp : updatedAt };
}
