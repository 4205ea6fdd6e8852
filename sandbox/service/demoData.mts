import { demoAnswers, REMARKS } from './demoAnswers.mts';
import type { Tenant, Tenants } from './demoOrganizations.mts';
import { addDemoTemplates } from './demoTemplates.mts';
import { FILE_KINDS, STATUSES, type Template } from './model.mts';
import { SeededRandom } from './seededRandom.mts';
import type { SandboxSettings } from './settings.mts';
import type { FileSpec, InspectionSpec } from './specs.mts';
import type { Store } from './store.mts';
import { floorTo, stepOf, type Ticks, TICKS_PER_SECOND, ticksOf } from './timestamp.mts';

/** The demo's past: everything in it happened in the first half of 2025. */
const START = ticksOf('2025-01-06T07:00:00Z');
const SPAN_SECONDS = 170 * 24 * 3600;

/** Inspections with one and the same updated_at, as a bulk change leaves them. */
const TIED = 12;

const SPRINGFIELD = {
	name: 'Springfield',
	address: '12 Harbour Road',
	latitude: 44.05,
	longitude: -123.09,
};

/** Every tenth inspection has one file of a kind, kinds in turn. */
function extraFiles(index: number): FileSpec[] {
	const kind = FILE_KINDS[(index / 10) % FILE_KINDS.length];
	return index % 10 === 0 && kind !== undefined ? [{ kind }] : [];
}

class History {
	private readonly store: Store;
	private readonly random = new SeededRandom(20_250_106);
	private readonly step: bigint;

	constructor(store: Store, settings: SandboxSettings) {
		this.store = store;
		this.step = stepOf(settings.timestampPrecision);
	}

	/** One inspection, made and changed at some moments of the past. */
	add(template: Template, tenant: Tenant, sequence: { index: number; of: number }): void {
		const { index, of } = sequence;
		const createdAt = this.momentAfter(START, (SPAN_SECONDS / of) * index, 3600);
		const at = this.momentAfter(createdAt, 60, 5 * 24 * 3600);
		const { answers, files } = this.answersTo(template, 0.8);
		const spec = this.specOf(template, tenant, index);
		const allFiles = [...files, ...extraFiles(index)];
		this.store.addInspection({ ...spec, createdAt, answers, files: allFiles }, { at });
	}

	/** Several with the same updated_at. */
	addTied(template: Template, tenant: Tenant): void {
		const at = floorTo(START + 100n * 24n * 3600n * TICKS_PER_SECOND, this.step);
		for (let index = 0; index < TIED; index++) {
			const { answers } = this.answersTo(template, 0.5);
			const spec = this.specOf(template, tenant, index);
			this.store.addInspection({ ...spec, createdAt: START, answers }, { at });
		}
	}

	private answersTo(template: Template, share: number) {
		const { random, store } = this;
		return demoAnswers(template, share, { random, newId: (kind) => store.newId(kind) });
	}

	private specOf(template: Template, { members, owner }: Tenant, index: number): InspectionSpec {
		const { random } = this;
		const creator = random.pick([owner, ...members]);
		const status = random.pick(STATUSES);
		return {
			template: template.id,
			name: `${template.name} #${String(index + 1)}`,
			status: index % 3 === 0 ? 'completed' : status,
			description: index % 4 === 0 ? random.pick(REMARKS) : '',
			createdBy: creator.id,
			updatedBy: random.pick([owner, ...members]).id,
			sharedWith: index % 5 === 0 ? random.some(members).map((user) => user.id) : [],
			customFields: index % 2 === 0 ? [{ name: 'Project, no.', value: `P-${String(index)}` }] : [],
			locations: index % 3 === 0 ? [SPRINGFIELD] : [],
		};
	}

	/** `from` plus an offset, plus up to `spread` seconds, on a step of the timestamps' precision. */
	private momentAfter(from: Ticks, offset: number, spread: number): Ticks {
		const seconds = BigInt(Math.floor(offset));
		const random = BigInt(Math.floor(this.random.fraction() * spread * 10_000_000));
		return floorTo(from + seconds * TICKS_PER_SECOND + random, this.step);
	}
}

/** The demo's templates and inspections, the same in every run. `count`: inspections of organization north. */
export function addDemoData(
	store: Store,
	{ north, south }: Tenants,
	settings: SandboxSettings,
	count = 320,
): void {
	const { filled, big } = addDemoTemplates(store, START);
	const history = new History(store, settings);
	const isNorth = ({ organizationId }: Template) => organizationId === north.organization.id;
	const [main, ...others] = filled.filter(isNorth);
	if (main === undefined) throw new Error('The demo has no template to fill');
	for (let index = 0; index < count; index++) {
		// Every second one is of the main template, the others in turn.
		const other = others[Math.floor(index / 2) % others.length] ?? main;
		history.add(index % 2 === 0 ? main : other, north, { index, of: count });
	}
	history.addTied(main, north);
	history.add(big, north, { index: 1, of: 2 });
	for (const template of filled.filter((one) => !isNorth(one))) {
		for (let index = 0; index < 60; index++) history.add(template, south, { index, of: 60 });
	}
}
