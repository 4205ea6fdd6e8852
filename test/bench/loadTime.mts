// How long n8n needs to load the built package: its two nodes and the credential, nothing loaded before.
import { core, projectRoot } from '../harness/n8nCore.mts';

const loader = new core.PackageDirectoryLoader(projectRoot);
const start = performance.now();
await loader.loadAll();
const ms = performance.now() - start;
if (loader.types.nodes.length < 2) throw new Error('the package was not loaded whole');
console.log(JSON.stringify({ ms }));
process.exit(0);
