import { Catalog, type CatalogState } from './catalog.mts';
import type { InspectionIndex, SortKey } from './inspectionIndex.mts';
import { InspectionTable } from './inspectionTable.mts';
import type {
	Answer,
	CustomField,
	FileRecord,
	Inspection,
	Status,
	Task,
	Template,
} from './model.mts';
import {
	answersOf,
	fileOf,
	type FileSpec,
	type InspectionPatch,
	type InspectionSpec,
	need,
	type WriteTiming,
} from './specs.mts';
import { type Ticks, TICKS_PER_MS, ticksOf } from './timestamp.mts';

/** Ready-made values, for writes whose answers were read already (create through the API). */
export interface InspectionDraft {
	template: Template;
	name: string;
	status: Status;
	description: string;
	creatorId: string;
	customFields: readonly CustomField[];
	locations: readonly unknown[];
	answers: readonly Answer[];
}

type Change = Partial<Inspection>;

/** A late commit: a write that reads do not see yet. */
interface PendingWrite {
	visibleAt: Ticks;
	id: string;
	change: Change;
	/** Set where the write creates the inspection. */
	created: Inspection | null;
}

/** Everything the store holds, as plain data: what a state file keeps. */
export interface StoreState extends CatalogState {
	inspections: Inspection[];
	tasks: Task[];
	pending: PendingWrite[];
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
	addInspection(spec: InspectionSpec, timing: WriteTiming = {}): Inspection {
		const template = need(this.findTemplate(null, spec.template), `template ${spec.template}`);
		const creatorId =
			spec.createdBy ?? need(this.members(template.organizationId)[0], 'user for that team').id;
		const at = this.stampOf(timing);
		const id = spec.id ?? this.newId('inspection');
		const inspection: Inspection = {
			id,
			organizationId: template.organizationId,
			teamId: template.teamId,
			templateId: template.id,
			name: spec.name ?? `${template.name} ${id.slice(0, 8)}`,
			status: spec.status ?? 'new',
			description: spec.description ?? '',
			createdAt: spec.createdAt === undefined ? at : ticksOf(spec.createdAt),
			createdById: creatorId,
			updatedAt: at,
			updatedById: spec.updatedBy ?? creatorId,
			timeZone: spec.timeZone ?? this.zoneOf(template.organizationId),
			customFields: [...(spec.customFields ?? [])],
			locations: [...(spec.locations ?? [])],
			sharedWithIds: [...(spec.sharedWith ?? [])],
			answers: answersOf(template, spec.answers ?? []),
			files: this.filesOf(spec.files ?? []),
		};
		return this.commitNew(inspection, timing);
	}

	/** Writes what the API's create has made of a request. */
	createInspection(draft: InspectionDraft, timing: WriteTiming = {}): Inspection {
		const { template, creatorId, ...values } = draft;
		const at = this.stampOf(timing);
		return this.commitNew(
			{
				...values,
				id: this.newId('inspection'),
				organizationId: template.organizationId,
				teamId: template.teamId,
				templateId: template.id,
				createdAt: at,
				createdById: creatorId,
				updatedAt: at,
				updatedById: creatorId,
				timeZone: this.zoneOf(template.organizationId),
				sharedWithIds: [],
				files: [],
			},
			timing,
		);
	}

	/** Changes an inspection; without a patch it only gets a new updated_at. */
	updateInspection(id: string, patch: InspectionPatch = {}, timing: WriteTiming = {}): void {
		const visible = this.table.find(id);
		const old = visible ?? this.pending.find((write) => write.id === id)?.created ?? undefined;
		const change = {
			...this.changeOf(need(old, `inspection ${id}`), patch),
			updatedAt: this.stampOf(timing),
		};
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

	/** All that a read sees now, ascending by updated_at. */
	inspections(organizationId?: string): readonly Inspection[] {
		const organizations = this.organizations().map(({ id }) => id);
		const ids = organizationId === undefined ? organizations : [organizationId];
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

	tasks(): readonly Task[] {
		return this.taskList;
	}

	/** Everything as plain data, late commits included. */
	dump(): StoreState {
		const { table, taskList, pending } = this;
		return { ...this.dumpCatalog(), inspections: table.all(), tasks: taskList, pending };
	}

	/** Takes the place of everything. */
	restore(state: StoreState): void {
		this.restoreCatalog(state);
		this.table.clear();
		for (const inspection of state.inspections) this.table.insert(inspection);
		this.taskList = [...state.tasks];
		this.pending = [...state.pending];
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

	private commitNew(inspection: Inspection, timing: WriteTiming): Inspection {
		const visibleAt = this.visibleAtOf(timing);
		if (visibleAt === null) this.table.insert(inspection);
		else this.pending.push({ visibleAt, id: inspection.id, change: {}, created: inspection });
		this.onWrite();
		return inspection;
	}

	private changeOf(old: Inspection, patch: InspectionPatch): Change {
		const { answers, files, sharedWith, createdAt, updatedBy, ...same } = patch;
		return {
			...same,
			...(createdAt === undefined ? {} : { createdAt: ticksOf(createdAt) }),
			...(updatedBy === undefined ? {} : { updatedById: updatedBy }),
			...(sharedWith === undefined ? {} : { sharedWithIds: [...sharedWith] }),
			...(files === undefined ? {} : { files: this.filesOf(files) }),
			...(answers === undefined
				? {}
				: { answers: answersOf(this.template(old.templateId), answers) }),
		};
	}

	private filesOf(specs: readonly FileSpec[]): FileRecord[] {
		return specs.map((spec) => fileOf(spec, (kind) => this.newId(kind)));
	}

	private zoneOf(organizationId: string): string {
		return need(this.organization(organizationId), 'such organization').timeZone;
	}

	/** Null: at once. */
	private visibleAtOf(timing: WriteTiming): Ticks | null {
		if (timing.visibleAt !== undefined) return ticksOf(timing.visibleAt);
		const delay = timing.visibleInMs ?? 0;
		return delay <= 0 ? null : this.clock.now() + BigInt(Math.round(delay * Number(TICKS_PER_MS)));
	}
}

/** A late write does not set updated_at back where a newer version was committed before it. */
function lateChange({ updatedAt }: Inspection, { change }: PendingWrite): Change {
	const stamp = change.updatedAt ?? updatedAt;
	return { ...change, updatedAt: stamp > updatedAt ? stamp : updatedAt };
}
