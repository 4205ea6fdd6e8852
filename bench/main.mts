/**
 * `npm run bench` runs one of the measurements in this folder:
 *
 *     npm run bench                                    this connector, n8n's HTTP Request node, undici
 *     npm run bench -- --large [getMany rows ...]      how time and memory grow with the size of a job
 *     npm run bench -- goals                           the goals, compared with a simple loop, without n8n
 *     npm run bench -- listRequests                    or any other file that FILES lists
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
