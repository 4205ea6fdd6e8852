import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import type { Template } from './model.mts';
import type { TemplateSpec } from './specs.mts';
import type { Store } from './store.mts';
import type { ControlSpec } from './templateSpec.mts';
import type { Ticks } from './timestamp.mts';

/** A template of demoTemplates.yaml. */
interface DemoTemplate extends TemplateSpec {
	/** Name of its team. */
	team: string;
	/** Inspections are made from it. */
	filled?: boolean;
	deleted?: boolean;
}

/** 10 pages of 5 sections and 84 questions: 900 controls. */
function manyControls(): ControlSpec[] {
	const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
	const question = (at: string, number: number): ControlSpec => {
		const label = `Question ${at}.${String(number)}`;
		if (number % 3 === 1) return { type: 'radio', label, choices: ['Pass', 'Fail', 'N/A'] };
		return { type: number % 3 === 2 ? 'text' : 'number', label };
	};
	return numbers(10).map((page) => ({
		type: 'page',
		label: `Page ${String(page)}`,
		children: numbers(5).map((section) => {
			const at = `${String(page)}.${String(section)}`;
			const children = numbers(section === 5 ? 20 : 16).map((number) => question(at, number));
			return { type: 'section', label: `Section ${at}`, children };
		}),
	}));
}

const BIG: DemoTemplate = {
	name: 'Annual audit',
	identifier: 'BIG-900',
	team: 'Site Safety',
	controls: manyControls(),
};

function load(): DemoTemplate[] {
	const file = new URL('demoTemplates.yaml', import.meta.url);
	const { templates }: { templates: DemoTemplate[] } = parse(readFileSync(file, 'utf8'));
	return [...templates, BIG];
}

/** Adds the templates of both organizations, made at one moment, and gives those that are to be filled. */
export function addDemoTemplates(store: Store, at: Ticks): { filled: Template[]; big: Template } {
	const added = load().map(({ team, filled = false, deleted = false, ...spec }) => {
		const teamId = store.teams().find(({ name }) => name === team)?.id ?? '';
		const template = store.addTemplate({ ...spec, teamId }, { at });
		if (deleted) store.removeTemplate(template.id);
		return { template, filled };
	});
	const filled = added.filter((one) => one.filled).map(({ template }) => template);
	const big = added.map(({ template }) => template).find(({ name }) => name === BIG.name);
	if (big === undefined) throw new Error('The demo lacks its largest template');
	return { filled, big };
}
