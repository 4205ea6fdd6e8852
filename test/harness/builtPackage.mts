import type { INodeType } from 'n8n-workflow';

import { PROJECT } from '#scripts/projectPaths.mts';
import { Container, core } from './n8nCore.mts';

/**
 * The built package, loaded as n8n loads an installed package. It's loaded with this file and not by the first test that
 * needs it, because that test would exceed its time limit on a busy machine.
 */
export const builtPackage = new core.PackageDirectoryLoader(PROJECT);
await builtPackage.loadAll();
await Container.get(core.BinaryDataService).init();

/** Returns one of the package's nodes: `inspectionService` or `inspectionServiceTrigger`. */
export function builtNode(name: string): INodeType {
	const loaded = builtPackage.getNode(name).type;
	if (!('description' in loaded) || 'nodeVersions' in loaded)
		throw new Error(`${name} is versioned`);
	return loaded;
}
