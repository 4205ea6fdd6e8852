import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { reportHtml } from '#connector/domain/report/report.ts';
import type { ReportFile } from '#connector/domain/report/reportEntry.ts';
import { formOf } from '#connector/domain/template/form.ts';
import { anyText } from '#harness/anyText.mts';
import { formWith } from '#harness/forms.mts';
import {
	control,
	type ControlSpec,
	guid,
	page,
	repeatable,
	section,
	text,
} from '#harness/generatedTemplate.mts';

const PICTURE = 'data:image/png;base64,AAAA';

/** Field IDs: f1 Walk · f2 Site · f3 Result · f4 Hazards (repeatable) · f5 What · f6 Photo · f7 Access · f8 Gate · f9 When */
const WALK: ControlSpec[] = [
	page(
		'Walk',
		text('Site'),
		control('radio', 'Result', { choices: ['Pass', 'Fail'] }),
		repeatable('Hazards', text('What'), control('photo', 'Photo')),
		section('Access', text('Gate')),
		control('date', 'When', { show_time: true }),
	),
];

const stored = (field_id: string, value: unknown, more: object = {}) =>
	({ field_id, response: { value }, ...more }) as JsonRecord;
const file = (name: string, listed: JsonRecord = {}): ReportFile => {
	return { listed: { id: guid(99), name, ...listed }, name, picture: PICTURE };
};

interface Contents {
	items?: JsonRecord[];
	files?: readonly ReportFile[];
	controls?: ControlSpec[] | undefined;
	zone?: string;
	own?: JsonRecord;
}

function report({
	items = [],
	files = [],
	controls = WALK,
	zone = 'Europe/Berlin',
	own,
}: Contents) {
	const inspection = { id: guid(1), name: 'Walk 1', status: 'completed', data: { items }, ...own };
	return reportHtml(inspection, formWith(...controls), files, zone);
}

/** Returns the strings below the facts, one per heading, question, answer, and file. */
const textsOf = (html: string) =>
	(/<\/dl>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '')
		.replaceAll(/<img [^>]*alt="([^"]*)">/g, '[$1]')
		.split(/<\/?(?:h\d|dt|dd|li|div|section|figcaption)\b[^>]*>/)
		.map((part) => part.replaceAll(/<[^>]*>/g, '').trim())
		.filter((part) => part !== '');

describe('a report', () => {
	it('follows the form, with a dash for each unanswered question', () => {
		const items = [
			stored('f5', 'Board', { repeat_section_order: 3 }),
			stored('f5', 'Trench', { repeat_section_order: 1 }),
			stored('f3', 'Pass'),
		];
		expect(textsOf(report({ items }))).toEqual([
			'Walk',
			'Site',
			'–',
			'Result',
			'Pass',
			'Hazards 1',
			'What',
			'Trench',
			'Photo',
			'–',
			'Hazards 3',
			'What',
			'Board',
			'Photo',
			'–',
			'Access',
			'Gate',
			'–',
			'Walk (continued)',
			'When',
			'–',
		]);
	});

	it('shows if a repeatable section has no instance', () => {
		expect(textsOf(report({}))).toContain('Hazards: none');
	});

	it('shows the instances of a section within a repeatable section after that section', () => {
		const inner = repeatable('Inner', text('B'));
		const controls = [page('P', repeatable('Outer', text('A'), inner, text('C')), text('D'))];
		const items = [stored('f3', 'a'), stored('f5', 'b2', { repeat_section_order: 2 })];
		const texts = textsOf(report({ controls, items }));
		expect(texts.filter((one) => /^(?:Outer|Inner|[ACD]$)/.test(one))).toEqual([
			'Outer 1',
			'A',
			'C',
			'Inner 2',
			'D',
		]);
	});

	it('shows answers of removed questions under their own heading, at the end', () => {
		const items = [stored('gone', 'Old', { label: 'Weather' }), stored('f2', 'Mill')];
		const texts = textsOf(report({ items }));
		expect(texts.slice(-3)).toEqual([
			'Questions that are no longer in the template',
			'Weather',
			'Old',
		]);
	});

	it('shows all answers if the template is unreadable', () => {
		const items = [
			stored('f2', 'Mill', { label: 'Site' }),
			stored('f5', 'Board', { label: 'What', repeat_section_order: 2 }),
		];
		const html = reportHtml({ id: guid(1), data: { items } }, undefined, [], 'utc');
		expect(textsOf(html)).toEqual(['Answers', 'Site', 'Mill', 'What 2', 'Board']);
	});

	it('leaves out an instruction, because it asks for nothing', () => {
		const controls = [page('P', control('instruction', 'Wear a helmet'), text('Site'))];
		expect(textsOf(report({ controls }))).toEqual(['P', 'Site', '–']);
	});

	it.each([
		['a flagged answer', stored('f2', 'Mill', { is_flagged: true }), 'Flagged'],
		['a failed answer', stored('f3', 'Fail'), 'Failed'],
		['a failed answer in German', stored('f3', 'Nicht in Ordnung'), 'Failed'],
	])('marks %s in its place in addition to the list at the top', (_, item, mark) => {
		const texts = textsOf(report({ items: [item] }));
		expect(texts[0]).toBe('Flagged or failed: 1');
		expect(texts.slice(1).filter((one) => one.startsWith(mark))).toHaveLength(1);
	});

	it.each([
		['the answer No', stored('f3', 'No')],
		['text about failing', stored('f2', 'Fail')],
	])("doesn't mark %s", (_, item) => {
		expect(report({ items: [item] })).not.toContain('class="mark');
	});

	it.each([
		['Europe/Berlin', 'June 2, 2026, 08:30'],
		['utc', 'June 2, 2026, 06:30'],
	])('shows times in the zone %s', (zone, shown) => {
		const items = [stored('f9', '2026-06-02T06:30:00.000Z')];
		expect(textsOf(report({ items, zone }))).toContain(shown);
	});

	it('shows a date without a time as a day', () => {
		const controls = [page('P', control('date', 'Day'))];
		const items = [stored('f2', '2026-06-01T22:00:00.000Z')];
		expect(textsOf(report({ controls, items }))).toContain('June 2, 2026');
		const sydney = [stored('f2', '2026-06-01T14:00:00.000Z')];
		const own = { timezone: 'Australia/Sydney' };
		expect(textsOf(report({ controls, items: sydney, own }))).toContain('June 2, 2026');
	});

	it.each([
		['names its question', [], { field_id: 'f6', repeat_section_order: 2 }],
		['names its control', [], { template_control_id: guid(6), repeat_section_order: 2 }],
		['is the answer', [stored('f6', [guid(99)], { repeat_section_order: 2 })], {}],
		['is in the answer', [stored('f6', { id: guid(99) }, { repeat_section_order: 2 })], {}],
	])('shows a photo next to its question if it %s', (_, items, listed) => {
		const texts = textsOf(report({ items, files: [file('board.png', listed)] }));
		const at = texts.indexOf('Photo');
		expect(texts.slice(at - 3, at + 3)).toEqual([
			'Hazards 2',
			'What',
			'–',
			'Photo',
			'[Photo: Photo: board.png]',
			'board.png',
		]);
	});

	it("shows photos without a question at the end, or lists them if it can't", () => {
		const files = [
			file('board.png'),
			{ ...file('note.mp3', { kind: 'audio' }), picture: undefined },
			{ ...file('phone.heic'), picture: undefined, problem: "not shown, because browsers can't" },
		];
		expect(textsOf(report({ files })).slice(-5)).toEqual([
			'Photos and files',
			'[Photo: board.png]',
			'board.png',
			'note.mp3 (audio)',
			"phone.heic: not shown, because browsers can't",
		]);
	});

	it('is laid out from right to left if most of its text is', () => {
		const arabic = [page('الجولة', text('اسم الموقع'), text('التاريخ'))];
		expect(report({ controls: arabic })).toContain('<body dir="rtl">');
		expect(report({ own: { name: 'جسر' } })).toContain('<body dir="ltr">');
	});

	it('shows where, when, or by whom the inspection was made, if known', () => {
		const own = {
			locations: [{ id: guid(3), name: 'Bridge', address: 'Mill Road 12' }],
			created_at: '2026-06-02T06:30:12.000Z',
			created_by: { name: 'Dana' },
			custom_fields: [{ name: 'Reference', value: 'W-1' }],
		};
		const facts = /<dl class="facts">([\s\S]*?)<\/dl>/.exec(report({ own }))?.[1] ?? '';
		expect(facts.replaceAll(/<[^>]*>/g, ' ').split(/\s{2,}/)).toEqual([
			'',
			'Location',
			'Bridge, Mill Road 12',
			'Created',
			'June 2, 2026, 08:30 · Dana',
			'Reference',
			'W-1',
			'',
		]);
	});

	it('contains no markup from its content', () => {
		const tags = (value: string) => {
			const html = report({
				controls: [page(`P${value}`, text(`Q${value}`))],
				items: [stored('f2', `A${value}`), stored('gone', `B${value}`, { label: `L${value}` })],
				files: [file(`F${value}`), { ...file('x'), picture: undefined, problem: `E${value}` }],
				own: { name: `N${value}`, team: `T${value}`, description: `D${value}` },
			});
			const [, content = ''] = html.split('</style>');
			expect(content.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
			const marks = content.match(/<[^<>]*>/g) ?? [];
			return marks.map((mark) => mark.replaceAll(/(?:alt|dir)="[^"]*"/g, ''));
		};
		const plain = tags('x');
		expect(plain.join('')).not.toMatch(/<script|https?:|src="(?!data:)|href="(?!#)/);
		fc.assert(fc.property(anyText(), (value) => void expect(tags(value)).toEqual(plain)));
	});
});

it(
	'a report is built even for 20,000 nested sections with 2,000 instances',
	{ tags: ['slow'] },
	() => {
		const controls = Array.from({ length: 20_000 }, (_, n) => ({
			id: guid(n + 1),
			field_id: `f${String(n)}`,
			type: 'section',
			label: 'S',
			parent_id: n === 0 ? null : guid(n),
			is_repeatable: n === 0,
		}));
		const form = formOf({ id: guid(0), data: { controls } });
		const items = Array.from({ length: 2_000 }, (_, n) =>
			stored('f0', 'x', { repeat_section_order: n + 1 }),
		);
		expect(reportHtml({ id: guid(1), data: { items } }, form, [], 'utc')).toContain('S 2000');
	},
);
