/** The kinds of files, in the order of the editor's list (File of docs/service.openapi.yaml). */
export const FILE_KINDS = [
	'attachment',
	'audio',
	'image',
	'instacount',
	'signature',
	'video',
] as const;
export type FileKind = (typeof FILE_KINDS)[number];
