/**
 * `npm run bench` runs one measurement by name.
 *
 *     npm run bench                                    this connector, n8n's HTTP Request node, undici
 *     npm run bench -- --large [getMany rows ...]      growth, in up to three sizes
 *     npm run bench -- goals                           the goals beside a bare loop, without n8n
 *     npm run bench -- listRequests                    any other file of this folder in FILES
 */
import { buildConnector } from '#scripts/freshBuild.mts';
import { installN8n } from '#scripts/n8nInstallation.mts';

const FILES = [
	'editorPanel',
	'findById',
	'findingsSheet',
	'goals',
	'listRequests',
	'uniqueKey',
] as const;
const WITH_N8N = ['bench', 'editorPanel', 'findingsSheet'];

const [asked = '', ...others] = process.argv.slice(2);
const file = FILES.find((name) => name === asked) ?? 'bench';
if (file === 'bench' && asked !== '' && asked !== '--large') {
	console.error(`bench: "${asked}" is unknown. Known are --large, ${FILES.join(', ')}.`);
	process.exit(1);
}
await buildConnector();
if (WITH_N8N.includes(file)) await installN8n('latest');
if (file !== 'bench') process.argv.splice(2, Infinity, ...others);
await import(`./${file}.mts`);
