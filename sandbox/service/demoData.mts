import type { Tenant, Tenants } from './demoOrganizations.mts';
import { addDemoTemplates } from './demoTemplates.mts';
import { FILE_KINDS, STATUSES } from './model.mts';
import type { Control, Template } from './model.mts';
import { SeededRandom } from './seededRandom.mts';
import type { SandboxSettings } from './settings.mts';
import type { AnswerSpec, FileSpec, InspectionSpec } from './specs.mts';
import type { Store } from './store.mts';
import { floorTo, stepOf, TICKS_PER_SECOND, ticksOf } from './timestamp.mts';
import type { Ticks } from './timestamp.mts';

/** The demo's past: everything in it happened in the first half of 2025. */
const START = ticksOf('2025-01-06T07:00:00Z');
const SPAN_SECONDS = 170 * 24 * 3600;

/** Inspections with one and the same updated_at, as a bulk change leaves them. */
const TIED = 12;

const SITES = [
	'Harbour Tower',
	'Mill Road 12',
	'Depot, north gate',
	'Brückenstraße 7',
	'Edificio Ñandú',
	'第三工場',
] as const;
const REMARKS = [
	'Nothing to report',
	'Guard rail loose, told the foreman',
	'Repeat next week; see photo',
	'"Keep out" sign missing',
	'Two lines\nof text',
] as const;

interface Made {
	answers: AnswerSpec[];
	files: FileSpec[];
}

/** Answers and files of one inspection, made from its template. */
class AnswerMaker {
	private readonly store: Store;
	private readonly random: SeededRandom;
	private readonly made: Made = { answers: [], files: [] };

	constructor(store: Store, random: SeededRandom) {
		this.store = store;
		this.random = random;
	}

	/** Answers about `share` of the questions; required ones always. */
	answer(template: Template, share: number): Made {
		const instances = new Map<string, number>();
		for (const control of template.controls) {
			if (control.options.is_repeatable === true) {
				instances.set(control.id, 1 + this.random.below(3));
			}
			const last = control.repeatableId === null ? 1 : (instances.get(control.repeatableId) ?? 1);
			for (let order = 1; order <= last; order++) {
				if (control.options.is_required === true || this.random.chance(share)) {
					this.answerControl(control, order);
				}
			}
		}
		return this.made;
	}

	private answerControl(control: Control, order: number): void {
		const value = this.valueFor(control);
		if (value === undefined) return;
		const flagged = value === 'Fail' || value === 'mangelhaft';
		this.made.answers.push({ control: control.id, order, value, flagged });
	}

	private addFile(kind: string, name?: string): string {
		const id = this.store.newId('file');
		this.made.files.push({ id, kind, ...(name === undefined ? {} : { name }) });
		return id;
	}

	private valueFor(control: Control): unknown {
		const choices = (control.options.choices ?? []).filter((choice) => choice !== '');
		const [first, ...others] = choices;
		if (first === undefined) return this.freeValue(control.type);
		const isSeveral = control.type === 'checkbox' || control.multiple;
		return isSeveral ? this.random.some(choices) : this.random.pick([first, ...others]);
	}

	private freeValue(type: string): unknown {
		switch (type) {
			case 'text':
				return this.random.pick([...SITES, ...REMARKS]);
			case 'number':
				return this.random.chance(0.7) ? this.random.below(40) : this.random.below(400) / 10;
			case 'date':
				return this.date().toISOString();
			case 'checkIn/location':
			case 'checkin':
				return '12 Harbour Road, Springfield (44.05, -123.09)';
			case 'barcode':
				return `40063813${String(this.random.below(90_000) + 10_000)}`;
			case 'media':
				return [this.addFile('image', 'Foto größe "1".png'), this.addFile('video')];
			case 'signature':
			case 'instacount':
				return [this.addFile(type)];
			default:
				return undefined;
		}
	}

	private date(): Date {
		const { random } = this;
		return new Date(Date.UTC(2025, random.below(6), 1 + random.below(28), random.below(24)));
	}
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
		const created = this.momentAfter(START, (SPAN_SECONDS / sequence.of) * sequence.index, 3600);
		const updated = this.momentAfter(created, 60, 5 * 24 * 3600);
		const made = new AnswerMaker(this.store, this.random).answer(template, 0.8);
		const spec = this.specOf(template, tenant, sequence.index);
		this.store.addInspection(
			{
				...spec,
				createdAt: created,
				answers: made.answers,
				files: [...made.files, ...this.extraFiles(sequence.index)],
			},
			{ at: updated },
		);
	}

	/** Several with the same updated_at. */
	addTied(template: Template, tenant: Tenant): void {
		const at = floorTo(START + 100n * 24n * 3600n * TICKS_PER_SECOND, this.step);
		for (let index = 0; index < TIED; index++) {
			const made = new AnswerMaker(this.store, this.random).answer(template, 0.5);
			this.store.addInspection(
				{ ...this.specOf(template, tenant, index), createdAt: START, answers: made.answers },
				{ at },
			);
		}
	}

	private specOf(template: Template, { members, owner }: Tenant, index: number): InspectionSpec {
		const creator = this.random.pick([owner, ...members]);
		const status = this.random.pick(STATUSES);
		return {
			template: template.id,
			name: `${template.name} #${String(index + 1)}`,
			status: index % 3 === 0 ? 'completed' : status,
			description: index % 4 === 0 ? this.random.pick(REMARKS) : '',
			createdBy: creator.id,
			updatedBy: this.random.pick([owner, ...members]).id,
			sharedWith: index % 5 === 0 ? this.random.some(members).map((user) => user.id) : [],
			customFields: index % 2 === 0 ? [{ name: 'Project, no.', value: `P-${String(index)}` }] : [],
			locations:
				index % 3 === 0
					? [
							{
								name: 'Springfield',
								address: '12 Harbour Road',
								latitude: 44.05,
								longitude: -123.09,
							},
						]
					: [],
		};
	}

	/** Every tenth inspection has one file of a kind, kinds in turn. */
	private extraFiles(index: number): FileSpec[] {
		const kind = FILE_KINDS[(index / 10) % FILE_KINDS.length];
		return index % 10 === 0 && kind !== undefined ? [{ kind }] : [];
	}

	/** `from` plus an offset, plus up to `spread` seconds, on a step of the timestamps' precision. */
	private momentAfter(from: Ticks, offset: number, spread: number): Ticks {
		const seconds = BigInt(Math.floor(offset));
		const random = BigInt(Math.floor(this.random.fraction() * spread * 10_000_000));
		return floorTo(from + seconds * TICKS_PER_SECOND + random, this.step);
	}
}

/** How many inspections of organization north the demo has by default. */
export const DEMO_INSPECTIONS = 320;

/** The demo's templates and inspections: the same in every run. */
export function addDemoData(
	store: Store,
	tenants: Tenants,
	settings: SandboxSettings,
	count: number = DEMO_INSPECTIONS,
): void {
	const templates = addDemoTemplates(store, tenants, START);
	const history = new History(store, settings);
	const [siteSafety] = templates.used;
	for (let index = 0; index < count; index++) {
		const other = templates.used[Math.floor(index / 2) % templates.used.length];
		const template = index % 2 === 0 ? siteSafety : (other ?? siteSafety);
		history.add(template, tenants.north, { index, of: count });
	}
	history.addTied(siteSafety, tenants.north);
	history.add(templates.big, tenants.north, { index: 1, of: 2 });
	for (let index = 0; index < 60; index++) {
		history.add(templates.south, tenants.south, { index, of: 60 });
	}
}
