/** n8n's editor in a real browser, in a user's words. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type Browser, chromium, type Locator, type Page, selectors } from 'playwright-core';

import { OWNER } from '#sandbox/demo/n8nClient.mts';

/** Debian's package `chromium`; another one by the environment variable. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const hasChromium = () => existsSync(CHROMIUM);

// Without these the browser looks for its maker's servers, many times a second.
const QUIET = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--no-first-run',
];
/** Small enough for a picture to be read beside text. */
const SIZE = { width: 1280, height: 720 };
// Seconds on an idle machine; the end-to-end run shares two cores with n8n and the browser itself.
const TIMEOUT_MS = 60_000;

selectors.setTestIdAttribute('data-test-id');

/** A logged-in editor. */
export class Editor {
	readonly page: Page;
	private readonly browser: Browser;
	private readonly url: string;
	private readonly screenshots: string;

	private constructor(browser: Browser, page: Page, url: string, screenshots: string) {
		this.browser = browser;
		this.page = page;
		this.url = url;
		this.screenshots = screenshots;
	}

	/** Opens the browser and logs in as the owner; screenshots go into the folder. */
	static async open(url: string, screenshots: string): Promise<Editor> {
		await mkdir(screenshots, { recursive: true });
		const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
		const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
		page.setDefaultTimeout(TIMEOUT_MS);
		const editor = new Editor(browser, page, url, screenshots);
		await page.goto(`${url}/signin`);
		await page.locator('input[name="emailOrLdapLoginId"], input[type="email"]').fill(OWNER.email);
		await page.locator('input[type="password"]').fill(OWNER.password);
		await page.getByTestId('form-submit-button').click();
		await page.waitForURL(/home|workflow/);
		return editor;
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Adds a node by one of its actions, behind another one; its details open. */
	async addNodeBehind(
		previous: string,
		search: string,
		node: string,
		action: string,
	): Promise<void> {
		await this.canvasNode(previous).hover();
		await this.page.getByTestId('canvas-handle-plus').last().click();
		await this.page.getByTestId('node-creator-search-bar').fill(search);
		const list = this.page.getByTestId('node-creator');
		for (const entry of [node, action]) {
			await list.getByText(entry, { exact: true }).first().click();
		}
		await this.details.waitFor();
	}

	async openNode(name: string): Promise<void> {
		await this.canvasNode(name).dblclick();
		await this.details.waitFor();
	}

	canvasNode(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.details.waitFor({ state: 'hidden' });
	}

	get details(): Locator {
		return this.page.getByTestId('ndv');
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	async showInputAsTable(): Promise<void> {
		await this.page.getByTestId('ndv-input-panel').getByTestId('radio-button-table').click();
	}

	/** The input of a parameter or of a mapper's column, by its saved name. */
	parameter(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	/** Drags a key of the input onto a field, which makes an expression of it. */
	async mapByDrag(key: string, name: string): Promise<void> {
		const source = this.page.getByTestId('ndv-input-panel').getByText(key, { exact: true });
		await source.first().dragTo(this.parameter(name));
		await this.parameter(name).getByText(`$json.${key}`).waitFor();
		await this.leaveField();
	}

	/** A field would go on showing its pop-up or its list. */
	async leaveField(): Promise<void> {
		await this.output.click({ position: { x: 20, y: 20 } });
	}

	/** A resource locator. */
	locator(parameter: string): Locator {
		return this.page.getByTestId(`resource-locator-${parameter}`);
	}

	/** Opens a resource locator's list; its entries. */
	async openList(parameter: string): Promise<Locator> {
		await this.locator(parameter).getByTestId('rlc-input').click();
		const entries = this.page.getByTestId('rlc-item');
		await entries.first().waitFor();
		return entries;
	}

	/** The inputs of the mapper that are shown, one for each question. */
	get questions(): Locator {
		const mapper = this.page.getByTestId('resource-mapper-container');
		return mapper.locator(
			'[data-test-id^="parameter-input-"]:not(:has([data-test-id^="parameter-input-"]))',
		);
	}

	async execute(): Promise<void> {
		await this.page.getByTestId('node-execute-button').first().click();
	}

	/** Two pictures, `name.png` and `name-dark.png`, without n8n's passing notes in its corner. */
	async screenshot(name: string): Promise<void> {
		// The pointer would leave a tooltip or a highlighted row in the picture.
		await this.page.mouse.move(5, SIZE.height - 5);
		await this.page.locator('button[class*="loading" i]').first().waitFor({ state: 'hidden' });
		await this.page.waitForLoadState('networkidle');
		for (const [colorScheme, file] of [
			['light', name],
			['dark', `${name}-dark`],
		] as const) {
			await this.page.emulateMedia({ colorScheme });
			await this.page.screenshot({
				path: join(this.screenshots, `${file}.png`),
				animations: 'disabled',
				style: '.el-notification { visibility: hidden; }',
			});
		}
		await this.page.emulateMedia({ colorScheme: 'light' });
	}
}
