import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import type { Tenant, Tenants } from './demoOrganizations.mts';
import { scatter } from './guid.mts';
import { type Control, FILE_KINDS, STATUSES, type Template } from './model.mts';
import type { SandboxSettings } from './settings.mts';
import type { AnswerSpec, FileSpec, TemplateSpec } from './specs.mts';
import type { Store } from './store.mts';
import type { ControlSpec } from './templateSpec.mts';
import { floorTo, type Ticks, TICKS_PER_SECOND, ticksOf } from './timestamp.mts';

interface DemoTemplate extends TemplateSpec {
	/** Name of its team. */
	team: string;
	/** Inspections are made from it. */
	filled?: boolean;
}

interface DemoFile {
	answers: Record<string, readonly [unknown, ...unknown[]]>;
	files: Record<string, readonly FileSpec[]>;
	flagged: readonly unknown[];
	/** Descriptions of inspections. */
	remarks: readonly [string, ...string[]];
	templates: readonly DemoTemplate[];
}

const demo: DemoFile = parse(readFileSync(new URL('demoTemplates.yaml', import.meta.url), 'utf8'));

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

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** 10 pages of 5 sections and 84 questions: 900 controls. */
function manyControls(): ControlSpec[] {
	const question = (label: string, number: number): ControlSpec => {
		if (number % 3 === 1) return { type: 'radio', label, choices: ['Pass', 'Fail', 'N/A'] };
		return { type: number % 3 === 2 ? 'text' : 'number', label };
	};
	return numbers(10).map((page) => ({
		type: 'page',
		label: `Page ${String(page)}`,
		children: numbers(5).map((section) => ({
			type: 'section',
			label: `Section ${String(page)}.${String(section)}`,
			children: numbers(section === 5 ? 20 : 16).map((number) =>
				question(`Question ${String(page)}.${String(section)}.${String(number)}`, number),
			),
		})),
	}));
}

function addTemplate(store: Store, { team, ...row }: DemoTemplate): Template {
	const teamId = [...store.teams.values()].find(({ name }) => name === team)?.id;
	return store.addTemplate({ ...row, teamId }, { at: START });
}

/** One of the values: the same text always gives the same one, so that every run has the same data. */
const pick = <Value,>(values: readonly [Value, ...Value[]], by: string): Value =>
	values[scatter(by) % values.length] ?? values[0];

/** Some of the values in their order, at least one where there are any. */
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

/** Answers to required questions and to about four fifths of the others, and the files that belong to them. */
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

/** One inspection, made at some moment of the past and changed up to five days later, unless `at` says when. */
function addInspection(
	store: Store,
	{ organization, owner }: Tenant,
	{ template, index, of, at }: { template: Template; index: number; of: number; at?: Ticks },
	{ timestampPrecision }: SandboxSettings,
): void {
	const seed = `${template.id}/${String(index)}`;
	const upTo = (seconds: number, by: string) =>
		(BigInt(scatter(seed + by)) * BigInt(seconds) * TICKS_PER_SECOND) >> 32n;
	const offset = BigInt(Math.floor((SPAN_SECONDS / of) * index)) * TICKS_PER_SECOND;
	const createdAt = floorTo(START + offset + upTo(3600, 'created'), timestampPrecision);
	const changedAt = createdAt + 60n * TICKS_PER_SECOND + upTo(5 * 24 * 3600, 'changed');
	const { answers, files } = answersTo(template, seed, store);
	const members = store.members(organization.id);
	// Every tenth has one file of a kind, kinds in turn.
	const kind = index % 10 === 0 ? FILE_KINDS[(index / 10) % FILE_KINDS.length] : undefined;
	store.addInspection(
		{
			template: template.id,
			name: `${template.name} #${String(index + 1)}`,
			status: index % 3 === 0 ? 'completed' : pick(STATUSES, `${seed}/status`),
			description: index % 4 === 0 ? pick(demo.remarks, `${seed}/description`) : '',
			createdAt: at === undefined ? createdAt : START,
			createdById: pick([owner, ...members], `${seed}/creator`).id,
			updatedById: pick([owner, ...members], `${seed}/editor`).id,
			sharedWithIds: index % 5 === 0 ? some(members, seed).map(({ id }) => id) : [],
			customFields: index % 2 === 0 ? [{ name: 'Project, no.', value: `P-${String(index)}` }] : [],
			locations: index % 3 === 0 ? [SPRINGFIELD] : [],
			answers,
			files: kind === undefined ? files : [...files, { kind }],
		},
		{ at: at ?? floorTo(changedAt, timestampPrecision) },
	);
}

/** The demo's templates and inspections, the same in every run. `count`: inspections of organization north. */
export function addDemoData(
	store: Store,
	{ north, south }: Tenants,
	settings: SandboxSettings,
	count = 320,
): void {
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
		// Every second one is of the main template, the others in turn.
		const other = others[Math.floor(index / 2) % others.length] ?? main;
		const template = index % 2 === 0 ? main : other;
		addInspection(store, north, { template, index, of: count }, settings);
	}
	const at = floorTo(START + 100n * 24n * 3600n * TICKS_PER_SECOND, settings.timestampPrecision);
	for (let index = 0; index < TIED; index++) {
		addInspection(store, north, { template: main, index, of: TIED, at }, settings);
	}
	addInspection(store, north, { template: big, index: 1, of: 2 }, settings);
	for (const template of filled.filter((one) => !isNorth(one))) {
		for (let index = 0; index < 60; index++) {
			addInspection(store, south, { template, index, of: 60 }, settings);
		}
	}
}
