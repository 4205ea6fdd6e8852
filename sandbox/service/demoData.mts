import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import type { Tenant, Tenants } from './demoOrganizations.mts';
import { scatter } from './guid.mts';
import { type Control, FILE_KINDS, STATUSES, type Template } from './model.mts';
import type { AnswerSpec, ControlSpec, FileSpec, TemplateSpec } from './specs.mts';
import type { Store } from './store.mts';
import { floorTo, ticksOfMs } from './time.mts';

interface DemoTemplate extends TemplateSpec {
	/** The name of the template's team. */
	team: string;
	/** Whether the demo data includes inspections of this template. */
	filled?: boolean;
}

type Values<Value> = readonly [Value, ...Value[]];

interface DemoFile {
	answers: Record<string, Values<unknown>>;
	files: Record<string, readonly FileSpec[]>;
	flagged: readonly unknown[];
	/** Example descriptions of inspections. */
	remarks: Values<string>;
	/** The location of every third inspection. */
	place: object;
	templates: readonly DemoTemplate[];
}

const demo: DemoFile = parse(readFileSync(new URL('demoTemplates.yaml', import.meta.url), 'utf8'));

// The start of the demo data, in ms since 1970. All demo data is from the first half of 2025.
const START = Date.parse('2025-01-06T07:00:00Z');
const HOUR = 3_600_000;
const SPAN = 170 * 24 * HOUR;

/** Simulates a bulk change: `count` inspections have the same updated_at, `at` in ms since 1970. */
const TIED = { count: 12, at: START + 100 * 24 * HOUR };

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const QUESTIONS: Values<Omit<ControlSpec, 'label'>> = [
	{ type: 'number' },
	{ type: 'radio', choices: ['Pass', 'Fail', 'N/A'] },
	{ type: 'text' },
];

/** Returns 900 controls: 10 pages, each with 5 sections and 84 questions. */
function manyControls(): ControlSpec[] {
	return numbers(10).map((page) => ({
		type: 'page',
		label: `Page ${String(page)}`,
		children: numbers(5).map((section) => ({
			type: 'section',
			label: `Section ${String(page)}.${String(section)}`,
			children: numbers(section === 5 ? 20 : 16).map((number) => ({
				...(QUESTIONS[number % 3] ?? QUESTIONS[0]),
				label: `Question ${String(page)}.${String(section)}.${String(number)}`,
			})),
		})),
	}));
}

function addTemplate(store: Store, { team, ...row }: DemoTemplate): Template {
	const teamId = [...store.teams.values()].find(({ name }) => name === team)?.id;
	return store.addTemplate({ ...row, teamId }, { at: new Date(START) });
}

/** Picks one of the values. The choice depends only on `by`, so that every run has the same data. */
const pick = <Value,>(values: Values<Value>, by: string): Value =>
	values[scatter(by) % values.length] ?? values[0];

/**
 * Picks some of the values and keeps their order. Picks at least one if there are any. The choice depends only on `by`.
 */
function some<Value>(values: readonly Value[], by: string): Value[] {
	const kept = values.filter((_, index) => scatter(`${by}/${String(index)}`) % 2 === 0);
	return kept.length > 0 ? kept : values.slice(0, 1);
}

function valueFor({ type, options, multiple }: Control, by: string): unknown {
	const [first, ...others] = (options.choices ?? []).filter((choice) => choice !== '');
	if (first === undefined) return demo.answers[type] && pick(demo.answers[type], by);
	const isSeveral = type === 'checkbox' || multiple;
	return isSeveral ? some([first, ...others], by) : pick([first, ...others], by);
}

/** Returns answers to all required questions and to about four fifths of the others, and the files of these answers. */
function answersTo(template: Template, seed: string, store: Store) {
	const answers: AnswerSpec[] = [];
	const files: FileSpec[] = [];
	for (const control of template.controls) {
		const instances = control.repeatableId ? 1 + (scatter(seed + control.repeatableId) % 3) : 1;
		for (const order of numbers(instances)) {
			const by = `${seed}/${control.id}/${String(order)}`;
			if (control.options.is_required !== true && scatter(by) % 5 === 0) continue;
			const own = demo.files[control.type]?.map((file) => ({ ...file, id: store.newId('file') }));
			const value = own?.map(({ id }) => id) ?? valueFor(control, by);
			files.push(...(own ?? []));
			if (value === undefined) continue;
			answers.push({ control: control.id, order, value, flagged: demo.flagged.includes(value) });
		}
	}
	return { answers, files };
}

/**
 * Adds inspection `index`, counted from 0, of a series of `of` inspections. The series is spread over the first half of
 * 2025. Each inspection changes up to five days after its creation, or at `at` (ms since 1970).
 */
function addInspection(
	store: Store,
	{ organization, owner }: Tenant,
	{ template, index, of, at }: { template: Template; index: number; of: number; at?: number },
): void {
	const seed = `${template.id}/${String(index)}`;
	const upTo = (ms: number, by: string) => (scatter(seed + by) / 2 ** 32) * ms;
	const stamp = (ms: number) => floorTo(ticksOfMs(ms), store.settings.timestampPrecision);
	const createdAt = START + (SPAN / of) * index + upTo(HOUR, 'created');
	const changedAt = at ?? createdAt + HOUR / 60 + upTo(5 * 24 * HOUR, 'changed');
	const { answers, files } = answersTo(template, seed, store);
	const members = store.members(organization.id);
	// Every tenth inspection has a file that belongs to no answer. The files' kinds alternate.
	const kind = index % 10 === 0 ? FILE_KINDS[(index / 10) % FILE_KINDS.length] : undefined;
	store.addInspection(
		{
			template: template.id,
			name: `${template.name} #${String(index + 1)}`,
			status: index % 3 === 0 ? 'completed' : pick(STATUSES, `${seed}/status`),
			description: index % 4 === 0 ? pick(demo.remarks, `${seed}/description`) : '',
			createdAt: stamp(Math.min(createdAt, changedAt)),
			createdById: pick([owner, ...members], `${seed}/creator`).id,
			updatedById: pick([owner, ...members], `${seed}/editor`).id,
			sharedWithIds: index % 5 === 0 ? some(members, seed).map(({ id }) => id) : [],
			customFields: index % 2 === 0 ? [{ name: 'Project, no.', value: `P-${String(index)}` }] : [],
			locations: index % 3 === 0 ? [demo.place] : [],
			answers,
			files: kind === undefined ? files : [...files, { kind }],
		},
		{ at: stamp(changedAt) },
	);
}

/**
 * Adds the demo's templates and inspections, which are the same in every run. `count` is the number of inspections of
 * organization north.
 */
export function addDemoData(store: Store, { north, south }: Tenants, count = 320): void {
	const filled = demo.templates.flatMap(({ filled: isFilled, ...row }) => {
		const template = addTemplate(store, row);
		return isFilled === true ? [template] : [];
	});
	const big = addTemplate(store, {
		name: 'Annual audit',
		identifier: 'BIG-900',
		team: 'Site Safety',
		controls: manyControls(),
	});
	const isNorth = ({ organizationId }: Template) => organizationId === north.organization.id;
	const [main = big, ...others] = filled.filter(isNorth);
	for (let index = 0; index < count; index++) {
		// Half of the inspections use the main template. The other half use the other templates in turn.
		const other = others[Math.floor(index / 2) % others.length] ?? main;
		const template = index % 2 === 0 ? main : other;
		addInspection(store, north, { template, index, of: count });
	}
	for (let index = 0; index < TIED.count; index++) {
		addInspection(store, north, { template: main, index, of: TIED.count, at: TIED.at });
	}
	addInspection(store, north, { template: big, index: 1, of: 2 });
	for (const template of filled.filter((one) => !isNorth(one))) {
		for (let index = 0; index < 60; index++) {
			addInspection(store, south, { template, index, of: 60 });
		}
	}
}
