import type { Caller } from './authentication.mts';
import { parseGuid } from './guid.mts';
import { FILE_KINDS } from './model.mts';
import type { Sandbox } from './sandbox.mts';
import { badRequest, notFound, unauthorized } from './serviceError.mts';
import { signedPath } from './signedUrl.mts';
import { formatTimestamp, ticksOfMs } from './timestamp.mts';

/** getFileUrl of the document. */
export function getFileUrl(
	ids: { inspectionId: string; fileId: string },
	caller: Caller,
	{ store, settings, clock, filesUrl }: Sandbox,
): object {
	const inspection = store.find(parseGuid(ids.inspectionId) ?? '');
	const fileId = parseGuid(ids.fileId);
	if (inspection === undefined) throw notFound('Inspection not found');
	if (inspection.organizationId !== caller.organization.id) throw unauthorized();
	const file = inspection.files.find(({ id }) => id === fileId);
	if (file === undefined) throw notFound('File not found');
	if (!FILE_KINDS.some((kind) => kind === file.kind)) {
		throw badRequest(`Unsupported file kind: ${file.kind}`);
	}
	const expiresAt = clock.now() + ticksOfMs(settings.fileUrlSeconds * 1000);
	return {
		url: `${filesUrl}${signedPath(file, expiresAt)}`,
		expires_at: formatTimestamp(expiresAt, settings.timestampPrecision),
	};
}
