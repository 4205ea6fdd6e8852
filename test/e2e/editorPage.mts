/** Controls n8n's editor in a real browser. The methods are named after what a user does. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { chromium, type Page, type PageScreenshotOptions, selectors } from 'playwright-core';

import { OWNER } from '#sandbox/demo/n8nClient.mts';

/** The path of the browser. Default: the path in Debian's package `chromium`. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const hasChromium = () => existsSync(CHROMIUM);

// Without these options, the browser contacts its vendor's servers many times a second.
const QUIET = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--no-first-run',
];
/** The window's size, which is small enough for a screenshot to be readable next to text. */
const SIZE = { width: 1280, height: 720 };
// The time limit of each action. Actions take seconds even on an idle machine. In the end-to-end run, the browser
// shares two cores with n8n and other tests.
const TIMEOUT_MS = 60_000;

const NO_NOTIFICATIONS = '.el-notification { visibility: hidden; }';
const CAPTION =
	'position: fixed; inset: auto 0 0 0; z-index: 99999; padding: 12px; background: #12484a; color: #fff; font: 600 18px sans-serif; text-align: center';
const captionStyle = (caption: string) =>
	` body::after { content: ${JSON.stringify(caption)}; ${CAPTION} }`;
const SIZE_OF_NOTHING = { x: 0, y: 0, width: 0, height: 0 };

selectors.setTestIdAttribute('data-test-id');

/** An editor in which the owner is logged in. */
export type Editor = Awaited<ReturnType<typeof open>>;
export const Editor = { open };

/** Opens a browser and logs in as n8n's owner. `screenshots` is the folder for screenshots. */
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
	/** Returns the input field of a parameter or of a mapper's column. `name` is the name that n8n saves. */
	const parameter = (name: string) => page.getByTestId(`parameter-input-${name}`);
	/** The visible input fields of the mapper, one for each question. */
	const questions = page
		.getByTestId('resource-mapper-container')
		.locator('[data-test-id^="parameter-input-"]:not(:has([data-test-id^="parameter-input-"]))');
	/** Opens the list of a resource locator. */
	const openLocator = async (name: string) =>
		await page.getByTestId(`resource-locator-${name}`).getByTestId('rlc-input').click();

	/** Waits until the page stops changing. Moves the pointer to a place where it causes no tooltip or highlight. */
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

		/** Adds a node after another node, by selecting one of the new node's actions. The new node's panel opens. */
		async addNodeAfter(previous: string, search: string, node: string, action: string) {
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

		/** Drags a key of the input onto a field. The field's value becomes an expression. */
		async mapByDrag(key: string, name: string) {
			await input.getByText(key, { exact: true }).first().dragTo(parameter(name));
			await parameter(name).getByText(`$json.${key}`).waitFor();
			// Clicks elsewhere, because the field's pop-up would stay open.
			await output.click({ position: { x: 20, y: 20 } });
		},

		/** Opens the list of a resource locator. Returns the list's entries. */
		async openList(name: string) {
			await openLocator(name);
			const entries = page.getByTestId('rlc-item');
			await entries.first().waitFor();
			return entries;
		},

		/**
		 * Moves the parameter panel by `pixels`. A positive number moves it to the right, so the input gets wider and the
		 * output narrower.
		 */
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

		/** Takes a light screenshot `name.png` and a dark screenshot `name-dark.png`, without n8n's notifications. */
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

		/** Takes a screenshot `name.png` of the editor in its light theme. The caption covers the bottom of the screenshot. */
		async frame(name: string, caption: string) {
			await settle();
			await picture(page, name, { style: NO_NOTIFICATIONS + captionStyle(caption) });
		},

		/**
		 * Takes a screenshot `name.png` of an HTML page in the light theme. With a caption, the picture has the editor's size. Without
		 * one, it's as high as the page's content. Opens a new tab, because n8n locks a workflow if the workflow's tab
		 * shows a different page.
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
