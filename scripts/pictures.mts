/**
 * `npm run pictures`: takes the screenshots of the README and docs/ again, in a real n8n and a browser, and renders the
 * sandbox's photos. Look at each picture before you commit it. Dark screenshots are only in `.local/screenshots`.
 *
 * `npm run pictures -- pictures` runs only test/e2e/pictures, and keeps the other screenshots of the previous run.
 */
import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { execa } from 'execa';
import sharp from 'sharp';

import { PROJECT, SCREENSHOTS } from './projectPaths.mts';

const DOCS = join(PROJECT, 'docs/screenshots');
const VITEST = join(PROJECT, 'node_modules/vitest/vitest.mjs');

/** Reduces a screenshot to 256 colors, which makes the file two thirds smaller without a visible difference. */
const INDEXED = { palette: true, colours: 256, effort: 10 } as const;
/** Reduces a photo to 40 colors, which keeps the file below 50 kB. */
const PHOTO = { ...INDEXED, colours: 40, dither: 0 } as const;
/** How long the animation shows each picture, and the last one, in ms. That is enough to read one or two lines. */
const [FRAME_MS, LAST_FRAME_MS] = [2_500, 4_000];

for (const photo of globSync(join(PROJECT, 'sandbox/service/photos/*.svg'))) {
	await sharp(photo).png(PHOTO).toFile(photo.replace(/svg$/, 'png'));
}

const chosen = process.argv.slice(2);
if (chosen.length === 0) await rm(SCREENSHOTS, { recursive: true, force: true });
const files = chosen.length === 0 ? ['browser', 'pictures'] : chosen;
const paths = files.map((name) => `test/e2e/${name}`);
await execa(process.execPath, [VITEST, 'run', '--project', 'e2e', ...paths], {
	cwd: PROJECT,
	stdio: 'inherit',
});

for (const picture of globSync(join(DOCS, '*.png'))) {
	await sharp(join(SCREENSHOTS, basename(picture)))
		.png(INDEXED)
		.toFile(picture);
}

const frames = globSync(join(SCREENSHOTS, 'first-run-*.png')).toSorted();
const animation = await sharp(frames, { join: { animated: true } })
	.gif({
		delay: frames.map((_, at) => (at < frames.length - 1 ? FRAME_MS : LAST_FRAME_MS)),
		dither: 0,
	})
	.toFile(join(DOCS, 'first-run.gif'));
console.log(`docs/screenshots/first-run.gif: ${String(Math.round(animation.size / 1000))} kB`);
