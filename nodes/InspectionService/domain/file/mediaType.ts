/**
 * Media types of the six kinds of file (File of docs/service.openapi.yaml) with their extensions, the usual one first.
 * They are needed where a storage gives no type or no name.
 */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
	'image/jpeg': ['.jpg', '.jpeg'],
	'image/png': ['.png'],
	'image/gif': ['.gif'],
	'image/webp': ['.webp'],
	'image/heic': ['.heic'],
	'image/heif': ['.heif'],
	'image/bmp': ['.bmp'],
	'image/tiff': ['.tiff', '.tif'],
	'image/svg+xml': ['.svg'],
	'video/mp4': ['.mp4', '.m4v'],
	'video/quicktime': ['.mov'],
	'video/webm': ['.webm'],
	'video/3gpp': ['.3gp'],
	'video/x-msvideo': ['.avi'],
	'audio/mpeg': ['.mp3'],
	'audio/mp4': ['.m4a'],
	'audio/aac': ['.aac'],
	'audio/wav': ['.wav'],
	'audio/ogg': ['.ogg'],
	'application/pdf': ['.pdf'],
	'application/zip': ['.zip'],
	'application/json': ['.json'],
	'application/msword': ['.doc'],
	'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
	'application/vnd.ms-excel': ['.xls'],
	'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
	'application/vnd.ms-powerpoint': ['.ppt'],
	'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['.pptx'],
	'text/plain': ['.txt'],
	'text/csv': ['.csv'],
	'text/html': ['.html', '.htm'],
	'text/xml': ['.xml'],
};

/** The type of a file whose type nobody knows. */
export const UNKNOWN_TYPE = 'application/octet-stream';
const UNKNOWN_TYPES = new Set([
	UNKNOWN_TYPE,
	'binary/octet-stream',
	'application/binary',
	'application/unknown',
	'application/x-download',
	'application/force-download',
]);

const TYPES = new Map(
	Object.entries(EXTENSIONS).flatMap(([type, extensions]) =>
		extensions.map((extension) => [extension, type]),
	),
);

/** A media type: type, slash, subtype (RFC 9110, section 8.3.1). Parameters may follow. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?=\s*(?:;|$))/;

/**
 * The type in a `Content-Type` header, in lower case and without parameters. Undefined where the header says nothing of
 * use: storages send `application/octet-stream` for a file that was uploaded without a type.
 */
export function statedType(header: string | undefined): string | undefined {
	const [type] = header?.toLowerCase().match(MEDIA_TYPE) ?? [];
	return type === undefined || UNKNOWN_TYPES.has(type) ? undefined : type;
}

/** The type that belongs to the extension of a file's name; undefined where the extension is not in the list. */
export function typeOfName(fileName: string): string | undefined {
	return TYPES.get(fileName.slice(fileName.lastIndexOf('.')).toLowerCase());
}

/** The usual extension of a type, with its dot; '' for types not known here. */
export function extensionOf(type: string): string {
	const [usual = ''] = EXTENSIONS[type] ?? [];
	return usual;
}
