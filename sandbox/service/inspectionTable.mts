import { InspectionIndex, type SortKey } from './inspectionIndex.mts';
import type { FileRecord, Inspection } from './model.mts';
import { need } from './specs.mts';

type Indexes = Record<SortKey, InspectionIndex>;

/** The versions of inspections that reads see, by id, by the id of a file, and in the order of their timestamps. */
export class InspectionTable {
	private readonly byId = new Map<string, Inspection>();
	private readonly files = new Map<string, FileRecord>();
	private readonly indexes = new Map<string, Indexes>();

	find(id: string): Inspection | undefined {
		return this.byId.get(id);
	}

	findFile(id: string): FileRecord | undefined {
		return this.files.get(id);
	}

	/** In the order of their making. */
	all(): Inspection[] {
		return [...this.byId.values()];
	}

	/** One organization's inspections in the order of a timestamp. */
	sortedBy(organizationId: string, key: SortKey): InspectionIndex {
		return this.indexesOf(organizationId)[key];
	}

	insert(inspection: Inspection): void {
		this.byId.set(inspection.id, inspection);
		for (const file of inspection.files) this.files.set(file.id, file);
		const { updatedAt, createdAt } = this.indexesOf(inspection.organizationId);
		updatedAt.add(inspection);
		createdAt.add(inspection);
	}

	replace(id: string, change: Partial<Inspection>): void {
		const old = need(this.byId.get(id), `inspection ${id}`);
		this.takeOut(old);
		this.insert({ ...old, ...change });
	}

	remove(id: string): void {
		const inspection = this.byId.get(id);
		if (inspection === undefined) return;
		this.takeOut(inspection);
		this.byId.delete(id);
	}

	clear(): void {
		for (const part of [this.byId, this.files, this.indexes]) part.clear();
	}

	private takeOut(inspection: Inspection): void {
		for (const file of inspection.files) this.files.delete(file.id);
		const { updatedAt, createdAt } = this.indexesOf(inspection.organizationId);
		updatedAt.remove(inspection);
		createdAt.remove(inspection);
	}

	private indexesOf(organizationId: string): Indexes {
		const known = this.indexes.get(organizationId);
		if (known !== undefined) return known;
		const made: Indexes = {
			updatedAt: new InspectionIndex('updatedAt'),
			createdAt: new InspectionIndex('createdAt'),
		};
		this.indexes.set(organizationId, made);
		return made;
	}
}
