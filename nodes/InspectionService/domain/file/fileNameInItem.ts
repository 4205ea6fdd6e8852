import { recordsOf, textOf } from '../json';

/**
 * The name of a file in an item that tells of it: the item is the file's own (Get Many's output Files), or an
 * inspection's with the file among its `files`. The fields of a file object are not shown (File of docs/service.openapi.yaml).
 */
export function fileNameInItem(
	json: Readonly<Record<string, unknown>>,
	fileId: string,
): string | undefined {
	const isTheFile = ({ file_id, id }: Readonly<Record<string, unknown>>) =>
		[file_id, id].some((own) => textOf(own)?.toLowerCase() === fileId.toLowerCase());
	const file = [json, ...recordsOf(json.files)].find(isTheFile);
	return textOf(file?.name) ?? textOf(file?.file_name);
}
