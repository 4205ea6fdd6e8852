import type { INodeProperties } from 'n8n-workflow';

import { wholeNumberOf } from './parameterValue';

/** In MB. Chosen: some hours of a phone's video, and less than the disk of any server that keeps files. */
const DEFAULT_MAX_SIZE = 2_000;

/** How large a downloaded file may be; its name is saved in workflows. */
export function maxSizeOption(): INodeProperties {
	return {
		displayName: 'Max Size (MB)',
		name: 'maxSize',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: DEFAULT_MAX_SIZE,
		description: 'How large a file may be, unpacked. A larger one is not kept, and is an error.',
	};
}

/**
 * The value of Max Size (MB) in bytes.
 * @throws InputError where it cannot be used
 */
export function maxBytesOf(given: unknown): number {
	return wholeNumberOf('Max Size (MB)', given ?? DEFAULT_MAX_SIZE, { min: 1 }) * 1024 * 1024;
}
