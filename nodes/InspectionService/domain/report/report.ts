import { fileKind } from '../file/file';
import { escapeHtml } from '../formatting';
import { guidOf } from '../id';
import { isRecord, type JsonRecord, type JsonValue, recordsOf, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { isBlank } from '../normalizeText';
import { ownCells } from '../row/simplified';
import type { Form } from '../template/form';
import { type Block, reportBlocks } from './reportBlocks';
import { type Entry, momentText, type ReportFile } from './reportEntry';
import { STYLE } from './style';

/** Blocks with at most this many questions and no files stay on one page. Chosen: few, so that pages fill up. */
const SHORT_BLOCK = 5;
/** Matches text whose first letter is written from right to left: Hebrew, Arabic, and their relatives. */
const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;

/**
 * Returns an inspection as one HTML file that needs no other files and runs no scripts. The inspection must have been
 * fetched with `data` and `files`. `form` is undefined if the template couldn't be read. Dates are in `timeZone` (IANA).
 */
export function reportHtml(
	inspection: InspectionRecord,
	form: Form | undefined,
	files: readonly ReportFile[],
	timeZone: string,
): string {
	const { blocks, others } = reportBlocks(form, inspection, files, timeZone);
	const own = ownCells(inspection, form?.template, undefined);
	const title = textOf(own.name) ?? inspection.id;
	const marked = blocks.flatMap(({ entries }) => entries.filter(({ mark }) => mark));
	const numbers = new Map(marked.map((entry, index) => [entry, index + 1]));
	const texts = [title, ...blocks.flatMap(({ entries }) => entries.map(({ label }) => label))];
	const isMirrored = texts.filter((one) => RIGHT_TO_LEFT.test(one)).length > texts.length / 2;
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body dir="${isMirrored ? 'rtl' : 'ltr'}">
<header>
${own.template === '' ? '' : `<p class="kind">${text(String(own.template))}</p>\n`}<h1>${text(title)}</h1>
<p class="status">${escaped(statusText(String(own.status)))}</p>
</header>
<main>
<dl class="facts">
${factsOf(inspection, own, timeZone)
	.map(([name, value]) => row(name, text(value)))
	.join('\n')}
</dl>
${marked.length === 0 ? '' : attention(marked)}
${blocks.map((block) => blockHtml(block, numbers)).join('\n')}
${others.length === 0 ? '' : `<section>\n<h2>Photos and files</h2>\n${filesHtml(others, '')}\n</section>`}
</main>
<footer>${text(`Inspection ${inspection.id}. Times are in ${timeZone === 'utc' ? 'UTC' : timeZone}.`)}</footer>
</body>
</html>
`;
}

function factsOf(
	inspection: JsonRecord,
	own: ReturnType<typeof ownCells>,
	timeZone: string,
): [name: string, value: string][] {
	const moment = (time: JsonValue | undefined, by: JsonValue) =>
		[momentText(time, timeZone), by].filter((part) => !isBlank(part)).join(' · ');
	const { locations, description, created_at, updated_at, custom_fields } = inspection;
	const places = (Array.isArray(locations) ? locations : [locations]).map(placeText);
	const facts: [string, string][] = [
		['Team', String(own.team)],
		['Location', places.filter(Boolean).join('\n')],
		['Created', moment(created_at, own.created_by)],
		['Last changed', moment(updated_at, own.updated_by)],
		['Description', textOf(description) ?? ''],
		...recordsOf(custom_fields).map(({ name, value }): [string, string] => {
			return [textOf(name) ?? '', isBlank(value) ? '' : String(value)];
		}),
	];
	return facts.filter(([name, value]) => name !== '' && !isBlank(value));
}

/** Returns the texts of a location. The API doesn't document its fields, so IDs are recognized by their form. */
function placeText(location: unknown): string {
	if (!isRecord(location)) return textOf(location) ?? '';
	const texts = Object.values(location).flatMap((value) => textOf(value) ?? []);
	return texts.filter((value) => guidOf(value) === undefined).join(', ');
}

function statusText(status: string): string {
	const words = status.replaceAll('_', ' ');
	return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function attention(marked: readonly Entry[]): string {
	const lines = marked.map(({ label, text: answer, mark = '' }, index) => {
		const shown = answer === '' ? mark : answer;
		return `<li><a href="#a${String(index + 1)}">${text(label)}</a>: ${text(shown)}</li>`;
	});
	return `<section class="attention">\n<h2>Flagged or failed: ${String(marked.length)}</h2>\n<ul>\n${lines.join('\n')}\n</ul>\n</section>`;
}

function blockHtml(
	{ control, title, entries }: Block,
	numbers: ReadonlyMap<Entry, number>,
): string {
	const outer = [control?.parent, control?.parent?.parent].filter(Boolean);
	const heading = `h${String(outer.length + 2)}`;
	const isShort = entries.length <= SHORT_BLOCK && entries.every(({ files }) => files.length === 0);
	const rows = entries.map((entry) => entryHtml(entry, numbers.get(entry))).join('\n');
	return `<section${isShort ? ' class="short"' : ''}>\n<${heading}>${text(title)}</${heading}>\n${rows && `<dl>\n${rows}\n</dl>\n`}</section>`;
}

/** Returns the row of a question. `number` is its number among the marked questions. */
function entryHtml({ label, text: answer, mark, files }: Entry, number = 0): string {
	const isOpen = answer === '' && files.length === 0;
	const names = [mark && 'marked', files.length > 0 && 'with-files', isOpen && 'open'];
	const classes = names.filter(Boolean).join(' ');
	const badge = mark === undefined ? '' : `<strong class="mark">${mark}</strong>`;
	const shown = `${badge}${text(isOpen ? '–' : answer)}${filesHtml(files, label)}`;
	const id = mark === undefined ? '' : ` id="a${String(number)}"`;
	return row(label, shown, `${classes && ` class="${classes}"`}${id}`);
}

/** Returns a row of a list. `answer` and `attributes` are HTML. */
function row(label: string, answer: string, attributes = ''): string {
	return `<div${attributes}><dt>${text(label)}</dt><dd>${answer}</dd></div>`;
}

/** Returns text as HTML, in its own direction. */
function text(given: string): string {
	return given === '' ? '' : `<bdi>${escaped(given)}</bdi>`;
}

/** Returns pictures as figures, and the other files as a list. */
function filesHtml(files: readonly ReportFile[], label: string): string {
	const figures = files.map((file) => figure(file, label)).join('');
	const lines = files.filter(({ picture }) => picture === undefined).map(fileLine);
	const list = lines.length === 0 ? '' : `<ul class="files">${lines.join('')}</ul>`;
	return `${figures && `<div class="photos">${figures}</div>`}${list}`;
}

function figure({ listed, name, picture }: ReportFile, label: string): string {
	if (picture === undefined) return '';
	const isSignature = fileKind(listed)?.toLowerCase() === 'signature';
	const alt = [isSignature ? 'Signature' : 'Photo', label, name].filter(Boolean).join(': ');
	return `<figure${isSignature ? ' class="signature"' : ''}><img src="${escaped(picture)}" alt="${escaped(alt)}"><figcaption>${text(name)}</figcaption></figure>`;
}

function fileLine({ listed, name, problem }: ReportFile): string {
	if (problem !== undefined) return `<li class="problem">${text(name)}: ${text(problem)}</li>`;
	const kind = fileKind(listed);
	return `<li>${text(kind === null ? name : `${name} (${kind})`)}</li>`;
}

/** Escapes text for an element, or for an attribute in double quotes. */
function escaped(given: string): string {
	return escapeHtml(given).replaceAll('"', '&quot;');
}
