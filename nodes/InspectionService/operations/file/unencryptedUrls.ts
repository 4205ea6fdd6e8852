import type { NodeExecutionHint } from 'n8n-workflow';

import { unencryptedUrlWarning } from '../../domain/file/unencryptedUrl';

/** The signed URLs of one execution that are less protected than the service: one hint for each server. */
export class UnencryptedUrls {
	private readonly warnings = new Set<string>();

	add(baseUrl: string, url: string): void {
		const warning = unencryptedUrlWarning(baseUrl, url);
		if (warning !== undefined) this.warnings.add(warning);
	}

	hints(): NodeExecutionHint[] {
		return Array.from(this.warnings, (message) => ({
			message,
			type: 'warning',
			location: 'outputPane',
		}));
	}
}
