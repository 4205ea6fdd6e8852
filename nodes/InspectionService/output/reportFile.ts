import { fileKind, filesOf, listedName } from '../domain/file/file';
import { describeFile, safeFileName } from '../domain/file/fileName';
import { type JsonRecord, textOf } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { mapConcurrently } from '../domain/mapConcurrently';
import { reportHtml } from '../domain/report/report';
import type { ReportFile } from '../domain/report/reportEntry';
import type { Form } from '../domain/template/form';
import { templateKey } from '../domain/template/templateOfInspection';
import { orderOf, type OutputContext, type StoredFiles, whyNotDownloaded } from './binaryFiles';
import { countFileBytes } from './filesInMemory';
import type { OutputChoice } from './outputChoice';

/**
 * Maximum size of a report's photos, in MB. Chosen: about 40 photos of a phone. While a report is built, its photos are
 * in memory several times, and Node has 2 GB by default.
 */
const MAX_PHOTOS_MB = 100;
const TOO_MUCH = `not shown, because a report has at most ${String(MAX_PHOTOS_MB)} MB of photos`;
const BYTES_PER_MB = 1024 * 1024;
/** How many photos are downloaded concurrently. Chosen: few, because a photo over the limit is in memory until it's dropped. */
const PHOTOS_AT_ONCE = 4;

/** The types of pictures that all browsers show. HEIC isn't one of them. */
const SHOWN_TYPES = new Set(
	['jpeg', 'png', 'gif', 'webp', 'avif', 'bmp', 'svg+xml'].map((type) => `image/${type}`),
);
const NO_PHOTO = /\.(?:pdf|mp[34]|mov|m4a|wav|docx?|xlsx?|csv|txt|zip)$/i;

/**
 * Builds the report of an inspection and stores it as `data`. `forms` has the templates by `templateKey`. Photos that can't be shown are named in the report and in
 * a notice. Throws n8n's error if the report can't be stored, and InputError if n8n's memory is too small for it.
 */
export async function storeReport(
	inspection: InspectionRecord,
	forms: ReadonlyMap<string, Form>,
	choice: OutputChoice,
	output: OutputContext,
): Promise<StoredFiles> {
	const { context, notices, timeLimit } = output;
	let bytesLeft = MAX_PHOTOS_MB * BYTES_PER_MB;
	const readFile = async (listed: JsonRecord): Promise<ReportFile> => {
		const name = listedName(listed) ?? textOf(listed.id) ?? 'file';
		if (!choice.photos || !mayBePhoto(listed)) return { listed, name };
		if (bytesLeft <= 0) return { listed, name, problem: TOO_MUCH };
		try {
			const { content, mimeType, fileName } = await download(inspection, listed, output);
			if (!SHOWN_TYPES.has(mimeType)) {
				const problem = `not shown, because browsers can't show ${mimeType}`;
				return { listed, name: fileName, problem };
			}
			bytesLeft -= content.length;
			if (bytesLeft < 0) return { listed, name, problem: TOO_MUCH };
			const picture = `data:${mimeType};base64,${content.toString('base64')}`;
			return { listed, name: fileName, picture };
		} catch (error) {
			return { listed, name, problem: `not downloaded. ${whyNotDownloaded(error, timeLimit)}` };
		}
	};
	const listed = filesOf(inspection, choice.fileKinds);
	const files = await mapConcurrently(listed, PHOTOS_AT_ONCE, readFile);
	for (const { name, problem } of files) {
		if (problem === undefined) continue;
		notices.add('missing', 'warning', `${name} of inspection ${inspection.id} is ${problem}`);
	}
	const form = forms.get(templateKey(inspection));
	const zone = choice.datesAs === 'utc' ? 'utc' : context.getTimezone();
	const html = Buffer.from(reportHtml(inspection, form, files, zone));
	const fileName = `${safeFileName(textOf(inspection.name)) ?? inspection.id}.html`;
	const refusal = countFileBytes(context, html.length);
	if (refusal !== undefined) throw refusal;
	const data = await context.helpers.prepareBinaryData(html, fileName, 'text/html');
	return { binary: { data }, files: [] };
}

/** Whether a file can be a picture, as far as the list shows. The service might send neither a kind nor a name. */
function mayBePhoto(file: JsonRecord): boolean {
	const isOther = ['video', 'audio', 'attachment'].includes(fileKind(file)?.toLowerCase() ?? '');
	return !isOther && !NO_PHOTO.test(listedName(file) ?? '');
}

async function download(
	inspection: InspectionRecord,
	file: JsonRecord,
	{ context, service }: OutputContext,
) {
	const wanted = { ...orderOf(inspection, file), maxBytes: MAX_PHOTOS_MB * BYTES_PER_MB };
	return await service.download(wanted, async ({ body, ...sent }) => {
		const content = await context.helpers.binaryToBuffer(body);
		const value = { content, ...describeFile({ ...wanted, ...sent }) };
		return { value, bytes: content.length };
	});
}
