/** n8n's editor in a real browser, with methods named after a user's actions. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { chromium, type Page, type PageScreenshotOptions, selectors } from 'playwright-core';

import { OWNER } from '#sandbox/demo/n8nClient.mts';

/** Debian's package `chromium`. The environment variable can choose a different browser. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const hasChromium = () => existsSync(CHROMIUM);

// Without these, the browser contacts its vendor's servers many times a second.
const QUIET = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--no-first-run',
];
/** Small enough for a screenshot to be readable next to text. */
const SIZE = { width: 1280, height: 720 };
// Actions take seconds on an idle machine, but the end-to-end run shares two cores with n8n and the browser.
const TIMEOUT_MS = 60_000;

const NO_NOTIFICATIONS = '.el-notification { visibility: hidden; }';
const CAPTION =
	'position: fixed; inset: auto 0 0 0; z-index: 99999; padding: 12px; background: #12484a; color: #fff; font: 600 18px sans-serif; text-align: center';
const captionStyle = (caption: string) =>
	` body::after { content: ${JSON.stringify(caption)}; ${CAPTION} }`;
const SIZE_OF_NOTHING = { x: 0, y: 0, width: 0, height: 0 };

selectors.setTestIdAttribute('data-test-id');

/** A logged-in editor. */
export type Editor = Awaited<ReturnType<typeof open>>;
export const Editor = { open };

/** Opens the browser and logs in as the owner. Screenshots go to the folder. */
async function open(url: string, screenshots: string, size = SIZE) {
	await mkdir(screenshots, { recursive: true });
	const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
	const page = await browser.newPage({ viewport: size, colorScheme: 'light' });
	page.setDefaultTimeout(TIMEOUT_MS);
	await page.goto(`${url}/signin`);
	await page.locator('input[name="emailOrLdapLoginId"], input[type="email"]').fill(OWNER.email);
	await page.locator('input[type="password"]').fill(OWNER.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL(/home|workflow/);

	const details = page.getByTestId('ndv');
	const output = page.getByTestId('output-panel');
	const input = page.getByTestId('ndv-input-panel');
	const canvasNode = (name: string) =>
		page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	/** The input of a parameter or of a mapper's column, by its saved name. */
	const parameter = (name: string) => page.getByTestId(`parameter-input-${name}`);
	/** The mapper's visible inputs, one for each question. */
	const questions = page
		.getByTestId('resource-mapper-container')
		.locator('[data-test-id^="parameter-input-"]:not(:has([data-test-id^="parameter-input-"]))');
	/** Clicks a resource locator, which opens its list. */
	const openLocator = async (name: string) =>
		await page.getByTestId(`resource-locator-${name}`).getByTestId('rlc-input').click();

	/** Waits until nothing moves, with the pointer where it shows no tooltip and highlights no row. */
	const settle = async () => {
		await page.mouse.move(5, size.height - 5);
		await page.locator('button[class*="loading" i]').first().waitFor({ state: 'hidden' });
		await page.waitForLoadState('networkidle');
	};

	const picture = async (of: Page, name: string, options: PageScreenshotOptions) => {
		const path = join(screenshots, `${name}.png`);
		await of.screenshot({ path, animations: 'disabled', ...options });
	};

	return {
		page,
		details,
		output,
		canvasNode,
		parameter,
		questions,
		openLocator,
		close: async () => await browser.close(),

		async openWorkflow(id: string) {
			await page.goto(`${url}/workflow/${id}`);
			await page.getByTestId('canvas-node').first().waitFor();
		},

		/** Adds a node by one of its actions after another node. Its details open. */
		async addNodeBehind(previous: string, search: string, node: string, action: string) {
			await canvasNode(previous).hover();
			await page.getByTestId('canvas-handle-plus').last().click();
			await page.getByTestId('node-creator-search-bar').fill(search);
			const list = page.getByTestId('node-creator');
			for (const entry of [node, action]) {
				await list.getByText(entry, { exact: true }).first().click();
			}
			await details.waitFor();
		},

		async openNode(name: string) {
			await canvasNode(name).dblclick();
			await details.waitFor();
		},

		async closeNode() {
			await page.keyboard.press('Escape');
			await details.waitFor({ state: 'hidden' });
		},

		showInputAsTable: async () => await input.getByTestId('radio-button-table').click(),

		/** Drags a key of the input onto a field, which turns it into an expression. */
		async mapByDrag(key: string, name: string) {
			await input.getByText(key, { exact: true }).first().dragTo(parameter(name));
			await parameter(name).getByText(`$json.${key}`).waitFor();
			// Otherwise the field keeps its pop-up open.
			await output.click({ position: { x: 20, y: 20 } });
		},

		/** Opens a resource locator's list. Returns its entries. */
		async openList(name: string) {
			await openLocator(name);
			const entries = page.getByTestId('rlc-item');
			await entries.first().waitFor();
			return entries;
		},

		/** Drags the parameters' panel sideways, which makes the input wider and the output narrower, or vice versa. */
		async movePanels(pixels: number) {
			const handle = page.getByTestId('panel-drag-button');
			const { x, y, width, height } = (await handle.boundingBox()) ?? SIZE_OF_NOTHING;
			const [from, level] = [x + width / 2, y + height / 2];
			await page.mouse.move(from, level);
			await page.mouse.down();
			await page.mouse.move(from + pixels, level, { steps: 10 });
			await page.mouse.up();
		},

		execute: async () => await page.getByTestId('node-execute-button').first().click(),

		/** Takes two screenshots, `name.png` and `name-dark.png`, without n8n's temporary notifications. */
		async screenshot(name: string) {
			await settle();
			for (const [colorScheme, file] of [
				['dark', `${name}-dark`],
				['light', name],
			] as const) {
				await page.emulateMedia({ colorScheme });
				await picture(page, file, { style: NO_NOTIFICATIONS });
			}
		},

		/** Takes one light picture `name.png` of the editor, with a line of text below it. */
		async frame(name: string, caption: string) {
			await settle();
			await picture(page, name, { style: NO_NOTIFICATIONS + captionStyle(caption) });
		},

		/**
		 * Takes one light picture `name.png` of a page of its own, because n8n locks a workflow whose tab has shown
		 * another page. With a caption, it's as large as the editor, else as high as its content.
		 */
		async pictureOf(html: string, name: string, caption?: string) {
			const other = await browser.newPage({
				viewport: caption === undefined ? { ...size, height: 100 } : size,
				colorScheme: 'light',
			});
			await other.setContent(html);
			const style = caption === undefined ? '' : captionStyle(caption);
			await picture(other, name, { style, fullPage: true });
			await other.close();
		},
	};
}
