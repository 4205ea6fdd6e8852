import type { Tenants } from './demoOrganizations.mts';
import type { Template } from './model.mts';
import type { TemplateSpec } from './specs.mts';
import type { Store } from './store.mts';
import type { ControlSpec } from './templateSpec.mts';

const page = (label: string, children: ControlSpec[]): ControlSpec => ({
	type: 'page',
	label,
	children,
});
const section = (label: string, children: ControlSpec[]): ControlSpec => ({
	type: 'section',
	label,
	children,
});
const repeatable = (label: string, children: ControlSpec[]): ControlSpec => ({
	...section(label, children),
	repeatable: true,
});
const text = (label: string): ControlSpec => ({ type: 'text', label });
const PASS_FAIL = ['Pass', 'Fail', 'N/A'];

/** The form that the demo fills from a spreadsheet. Its field ids are fixed: examples refer to them. */
const SITE_SAFETY: TemplateSpec = {
	name: 'Site safety walk',
	identifier: 'SITE-SAFETY',
	description: 'Weekly walk over a construction site',
	controls: [
		page('Site', [
			{
				type: 'text',
				label: 'Site name',
				fieldId: 'site_name',
				required: true,
				placeholder: 'As on the site board',
			},
			{ type: 'date', label: 'Date', fieldId: 'walk_date', required: true, showTime: false },
			{ type: 'number', label: 'Number of workers', fieldId: 'workers' },
			{
				type: 'radio',
				label: 'Result',
				fieldId: 'result',
				required: true,
				choices: PASS_FAIL,
			},
			{
				type: 'checkbox',
				label: 'PPE',
				fieldId: 'ppe',
				choices: ['Helmet', 'Gloves', 'Goggles', 'Harness', 'Hi-vis vest'],
			},
			{
				type: 'dropdown',
				label: 'Area',
				fieldId: 'area',
				multiple: true,
				choices: ['Excavation', 'Scaffold', 'Roof', 'Storage', 'Gate'],
			},
			{ type: 'checkIn/location', label: 'Location', fieldId: 'location' },
			{ type: 'text', label: 'Comments', fieldId: 'comments', multiline: true, required: false },
		]),
		page('Findings', [
			{
				...repeatable('Hazards', [
					{ type: 'text', label: 'Description', fieldId: 'hazard_description', multiline: true },
					{
						type: 'radio',
						label: 'Severity',
						fieldId: 'hazard_severity',
						choices: ['Low', 'Medium', 'High'],
					},
				]),
				fieldId: 'hazards',
			},
		]),
	],
};

/** Every type of control, those of the interface and those seen in public services, required and not. */
const EVERY_TYPE: TemplateSpec = {
	name: 'One of each',
	identifier: 'EVERY-TYPE',
	controls: [
		page('Answerable', [
			{ type: 'text', label: 'Line', required: true, multiline: false, placeholder: 'One line' },
			{ type: 'text', label: 'Paragraph', required: false, multiline: true, placeholder: '' },
			{ type: 'number', label: 'Reading' },
			{ type: 'radio', label: 'Verdict', required: true, choices: PASS_FAIL },
			{ type: 'checkbox', label: 'Tools', choices: ['Hammer', 'Saw', 'Drill'] },
			{ type: 'dropdown', label: 'Colour', choices: ['Red', 'Green', 'Blue'] },
			{ type: 'dropdown', label: 'Colours', multiple: true, choices: ['Red', 'Green', 'Blue'] },
			{ type: 'date', label: 'Day', required: false, showTime: false },
			{ type: 'date', label: 'Moment', required: false, showTime: true },
			{ type: 'checkIn/location', label: 'Place' },
		]),
		page('Read only', [
			{ type: 'media', label: 'Photos' },
			{ type: 'signature', label: 'Inspector signature' },
			{ type: 'barcode', label: 'Asset tag' },
			{ type: 'checkin', label: 'Check-in' },
			{ type: 'instacount', label: 'Pipes counted' },
		]),
	],
};

/** Pages in pages, sections in sections, and both kinds of section inside repeatable ones. */
const DEEP: TemplateSpec = {
	name: 'Building, floor by floor',
	identifier: 'DEEP-NEST',
	controls: [
		page('Building', [
			text('Address'),
			page('Outside', [
				section('Front', [
					section('Door', [{ type: 'radio', label: 'State', choices: PASS_FAIL }]),
				]),
			]),
			repeatable('Floors', [
				text('Floor name'),
				section('Air', [
					{ type: 'number', label: 'Temperature' },
					section('Quality', [{ type: 'number', label: 'CO2' }]),
				]),
				repeatable('Rooms', [
					text('Room name'),
					{ type: 'checkbox', label: 'Seen', choices: ['Walls', 'Floor', 'Ceiling'] },
				]),
			]),
			repeatable('Roof parts', [
				section('Part', [{ type: 'radio', label: 'State', choices: PASS_FAIL }, text('Remark')]),
			]),
		]),
	],
};

/** Labels that are not unique, in several ways, and labels that are also keys of an inspection. */
const DUPLICATES: TemplateSpec = {
	name: 'Same labels everywhere',
	identifier: 'DUPLICATES',
	controls: [
		page('Kitchen', [
			text('Comment'),
			{ type: 'radio', label: 'Clean', choices: ['Yes', 'No'] },
			text('Twice here'),
			text('Twice here'),
			repeatable('Machines', [text('Comment'), text('Serial')]),
		]),
		page('Yard', [
			text('Comment'),
			{ type: 'radio', label: 'Clean', choices: ['Yes', 'No'] },
			text('comment'),
		]),
		page('Reserved', [text('name'), text('Name'), text('status'), text('id'), text('created_at')]),
	],
};

/** Characters that break naive code: separators, quotes, other scripts, names of object members, n8n expressions. */
const AWKWARD: TemplateSpec = {
	name: 'Größe/Höhe: "netto", 100 %; 検査 🚧',
	identifier: 'ÄÖÜ/1: "x"',
	controls: [
		page('A/B: "quoted", semi;colon', [
			{ ...text('Größe / Höhe, "netto"; in m²'), fieldId: 'a.b:c d' },
			{ ...text('検査 🚧 ñandú'), fieldId: '検査' },
			text('Reading:2'),
			text('Reading'),
			text(' padded '),
			text(''),
			text("It's 100 % <b>bold</b> & more"),
			text('={{ 1 + 1 }}'),
			text('line\nbreak'),
			text('x'.repeat(300)),
			{ ...text('constructor'), fieldId: 'constructor' },
			{ ...text('__proto__'), fieldId: '__proto__' },
			{ ...text('1'), fieldId: '1' },
			text('json'),
			{
				type: 'radio',
				label: 'Choice/with: "all"',
				choices: ['A/B', 'A, B', 'A; B', 'A: B', '"A"', "A's", 'Ä', '', ' A'],
			},
			{
				type: 'checkbox',
				label: 'Choices, many; of: them',
				choices: ['A', 'B', 'A, B', 'B; C', 'C/D', 'E\nF', '"G"', '検査'],
			},
			{
				type: 'dropdown',
				label: 'Ort, Straße',
				multiple: true,
				choices: ['Berlin, Mitte', 'Berlin', 'Mitte', 'Köln; Süd', 'São Paulo / Centro'],
			},
			repeatable('Räume: 1/2', [text('Name, kurz'), { type: 'number', label: 'Fläche (m²)' }]),
		]),
	],
};

const FORKLIFT: TemplateSpec = {
	name: 'Forklift pre-use check',
	identifier: 'FORKLIFT-PRE-USE-001',
	controls: [
		page('Truck', [
			{ type: 'barcode', label: 'Asset tag' },
			{ type: 'number', label: 'Operating hours' },
			{ type: 'radio', label: 'Brakes', required: true, choices: PASS_FAIL },
			{ type: 'radio', label: 'Horn', required: true, choices: PASS_FAIL },
			{ type: 'media', label: 'Photo of damage' },
			{ type: 'signature', label: 'Operator' },
		]),
	],
};

const KITCHEN: TemplateSpec = {
	name: 'Küchenkontrolle',
	identifier: 'KITCHEN-CHECK',
	controls: [
		page('Küche', [
			{ type: 'number', label: 'Kühlschrank °C', fieldId: 'fridge' },
			{ type: 'radio', label: 'Hygiene', choices: ['in Ordnung', 'mangelhaft'] },
		]),
	],
};

/** 10 pages of 5 sections and 84 questions: 900 controls. */
function manyControls(): ControlSpec[] {
	const question = (at: string, index: number): ControlSpec => {
		const label = `Question ${at}.${String(index + 1)}`;
		if (index % 3 === 0) return { type: 'radio', label, choices: PASS_FAIL };
		return { type: index % 3 === 1 ? 'text' : 'number', label };
	};
	const questions = (at: string, count: number) =>
		Array.from({ length: count }, (_, index) => question(at, index));
	return Array.from({ length: 10 }, (_, index) => {
		const number = String(index + 1);
		const sections = Array.from({ length: 5 }, (_unused, part) => {
			const at = `${number}.${String(part + 1)}`;
			return section(`Section ${at}`, questions(at, part === 4 ? 20 : 16));
		});
		return page(`Page ${number}`, sections);
	});
}

const BIG: TemplateSpec = { name: 'Annual audit', identifier: 'BIG-900', controls: manyControls() };

/** Templates of the demo by what they are for. */
export interface DemoTemplates {
	/** North, used by inspections in this order of weight. */
	used: readonly [Template, ...Template[]];
	big: Template;
	south: Template;
}

/** Adds the templates of both organizations. `at` is when they were made. */
export function addDemoTemplates(store: Store, tenants: Tenants, at: bigint): DemoTemplates {
	const teamOf = (tenant: 'north' | 'south', index = 0) => tenants[tenant].teams[index]?.id ?? '';
	const add = (spec: TemplateSpec, teamId = teamOf('north')) =>
		store.addTemplate({ ...spec, teamId }, { at });

	const siteSafety = add(SITE_SAFETY);
	const used = [EVERY_TYPE, DEEP, DUPLICATES, AWKWARD].map((spec) => add(spec));
	const forklift = add(FORKLIFT, teamOf('north', 1));
	const big = add(BIG);
	const draft = { controls: [page('Page', [text('Question')])] };
	add({ ...draft, name: 'Not published yet', identifier: 'DRAFT', published: false });
	add({ ...draft, name: 'Out of use', identifier: 'OLD-FORM', disabled: true });
	store.removeTemplate(add({ ...draft, name: 'Deleted', identifier: 'GONE' }).id);
	add({ name: 'Without controls', identifier: 'EMPTY', controls: [] });

	const south = add(KITCHEN, teamOf('south'));
	add({ ...KITCHEN, name: 'Rundgang', identifier: 'SITE-SAFETY' }, teamOf('south'));
	return { used: [siteSafety, forklift, ...used], big, south };
}
