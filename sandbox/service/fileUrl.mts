import type { Caller } from './authentication.mts';
import { parseGuid } from './guid.mts';
import { FILE_KINDS } from './model.mts';
import { badRequest, notFound, unauthorized } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import type { UrlSigner } from './signedUrl.mts';
import type { Store } from './store.mts';
import { formatTimestamp, type Ticks, TICKS_PER_MS } from './timestamp.mts';

export interface FileUrlContext {
	store: Store;
	settings: SandboxSettings;
	signer: UrlSigner;
	now: () => Ticks;
	filesUrl: () => string;
}

/** getFileUrl of the document. */
export function fileUrl(
	ids: { inspectionId: string; fileId: string },
	caller: Caller,
	context: FileUrlContext,
): object {
	const { store, settings, signer } = context;
	const inspection = store.find(parseGuid(ids.inspectionId) ?? '');
	const fileId = parseGuid(ids.fileId);
	if (inspection === undefined) throw notFound('Inspection not found');
	if (inspection.organizationId !== caller.organization.id) throw unauthorized();
	const file = inspection.files.find((candidate) => candidate.id === fileId);
	if (file === undefined) throw notFound('File not found');
	if (!FILE_KINDS.some((kind) => kind === file.kind)) {
		throw badRequest(`Unsupported file kind: ${file.kind}`);
	}
	const expiresAt =
		context.now() + BigInt(Math.round(settings.fileUrlSeconds * 1000)) * TICKS_PER_MS;
	return {
		url: `${context.filesUrl()}${signer.sign(file, expiresAt)}`,
		expires_at: formatTimestamp(expiresAt, settings.timestampPrecision),
	};
}
