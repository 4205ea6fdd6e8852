import { file, inspection } from '../../fields/locators';

/** Items whose file requests run at once: as many as Create has by default (its option Concurrency). */
export const CONCURRENT_FILES = 10;

const CURE = 'Choose it from the list, or take its ID from Get Many with the output Files';

/** The two fields that name a file. getFileUrl of docs/service.openapi.yaml refuses what is no UUID. */
export const FILE_REFERENCE = {
	inspectionId: inspection('The inspection that the file belongs to', CURE),
	fileId: file(CURE),
};
