import { unencryptedUrlWarning } from '../../domain/file/downloadUrl';
import type { Hint } from '../hints';

/** Collects the signed URLs of one execution that are not encrypted although the service is: one hint for each server. */
export class UnencryptedUrls {
	private readonly warnings = new Set<string>();

	add(baseUrl: string, url: string): void {
		const warning = unencryptedUrlWarning(baseUrl, url);
		if (warning !== undefined) this.warnings.add(warning);
	}

	hints(): Hint[] {
		return Array.from(this.warnings, (message) => ({
			message,
			type: 'warning',
		}));
	}
}
