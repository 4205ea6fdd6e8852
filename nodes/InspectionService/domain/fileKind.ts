/** The kinds of files (`File` in docs/service.openapi.yaml), in the order in which the editor lists them. */
export const FILE_KINDS = [
	'attachment',
	'audio',
	'image',
	'instacount',
	'signature',
	'video',
] as const;
export type FileKind = (typeof FILE_KINDS)[number];
