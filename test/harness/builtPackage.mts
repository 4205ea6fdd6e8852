import type { INodeType } from 'n8n-workflow';

import { PROJECT } from '#scripts/projectPaths.mts';
import { Container, core } from './n8nCore.mts';

let loading: Promise<InstanceType<typeof core.PackageDirectoryLoader>> | undefined;

/** Loads the built package as n8n loads an installed package. */
export async function loadPackage() {
	loading ??= (async () => {
		const loader = new core.PackageDirectoryLoader(PROJECT);
		await loader.loadAll();
		await Container.get(core.BinaryDataService).init();
		return loader;
	})();
	return await loading;
}

/** Loads one of the package's nodes: `inspectionService` or `inspectionServiceTrigger`. */
export async function loadNode(name: string): Promise<INodeType> {
	const loaded = (await loadPackage()).getNode(name).type;
	if (!('description' in loaded) || 'nodeVersions' in loaded)
		throw new Error(`${name} is versioned`);
	return loaded;
}
