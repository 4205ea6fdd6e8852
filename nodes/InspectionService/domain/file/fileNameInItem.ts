import { recordsOf, textOf } from '../json';

/**
 * The name of a file, where the input item has it. The item is the file's own (Get Many's output Files), or it is an
 * inspection with the file among its `files`. File of docs/service.openapi.yaml leaves the names of the fields open.
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
