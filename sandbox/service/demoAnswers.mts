import type { Control, Template } from './model.mts';
import type { SeededRandom } from './seededRandom.mts';
import type { AnswerSpec, FileSpec } from './specs.mts';

const SITES = [
	'Harbour Tower',
	'Mill Road 12',
	'Depot, north gate',
	'Brückenstraße 7',
	'Edificio Ñandú',
	'第三工場',
] as const;
export const REMARKS = [
	'Nothing to report',
	'Guard rail loose, told the foreman',
	'Repeat next week; see photo',
	'"Keep out" sign missing',
	'Two lines\nof text',
] as const;

const FAILED = ['Fail', 'mangelhaft'];

/** Types that are answered with files: what kind each is, and its name where it is not made up. */
const FILES: Record<string, { kind: string; name?: string }[]> = {
	media: [{ kind: 'image', name: 'Foto größe "1".png' }, { kind: 'video' }],
	signature: [{ kind: 'signature' }],
	instacount: [{ kind: 'instacount' }],
};

function freeValue(type: string, random: SeededRandom): unknown {
	switch (type) {
		case 'text':
			return random.pick([...SITES, ...REMARKS]);
		case 'number':
			return random.chance(0.7) ? random.below(40) : random.below(400) / 10;
		case 'date': {
			const [month, day, hour] = [random.below(6), 1 + random.below(28), random.below(24)];
			return new Date(Date.UTC(2025, month, day, hour)).toISOString();
		}
		case 'checkIn/location':
		case 'checkin':
			return '12 Harbour Road, Springfield (44.05, -123.09)';
		case 'barcode':
			return `40063813${String(random.below(90_000) + 10_000)}`;
		default:
			return undefined;
	}
}

function valueFor(control: Control, random: SeededRandom): unknown {
	const choices = (control.options.choices ?? []).filter((choice) => choice !== '');
	const [first, ...others] = choices;
	if (first === undefined) return freeValue(control.type, random);
	const isSeveral = control.type === 'checkbox' || control.multiple;
	return isSeveral ? random.some(choices) : random.pick([first, ...others]);
}

/** Answers to about `share` of a template's questions, required ones always, and the files that belong to them. */
export function demoAnswers(
	template: Template,
	share: number,
	{ random, newId }: { random: SeededRandom; newId: (kind: string) => string },
): { answers: AnswerSpec[]; files: FileSpec[] } {
	const answers: AnswerSpec[] = [];
	const files: FileSpec[] = [];
	const instances = new Map<string, number>();
	for (const control of template.controls) {
		const { is_repeatable, is_required } = control.options;
		if (is_repeatable === true) instances.set(control.id, 1 + random.below(3));
		const last = instances.get(control.repeatableId ?? '') ?? 1;
		for (let order = 1; order <= last; order++) {
			if (is_required !== true && !random.chance(share)) continue;
			const attached = (FILES[control.type] ?? []).map((file) => ({ id: newId('file'), ...file }));
			files.push(...attached);
			const ids = attached.map(({ id }) => id);
			const value = ids.length > 0 ? ids : valueFor(control, random);
			if (value === undefined) continue;
			const flagged = FAILED.some((failed) => failed === value);
			answers.push({ control: control.id, order, value, flagged });
		}
	}
	return { answers, files };
}
