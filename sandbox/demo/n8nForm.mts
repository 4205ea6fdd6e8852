/** Fills in a form of n8n's Form Trigger and sends it as the form's own page does. */

/** What is filled in, by the field's place in the form; several choices as an array. */
export type FormValue = string | readonly string[] | readonly File[];

/** The form's page as HTML. @throws where there is no form at the address */
export async function openForm(url: string): Promise<string> {
	return await textOf(await fetch(url, { signal: AbortSignal.timeout(60_000) }));
}

/**
 * Sends the values, and resolves when n8n has answered: at once, or when the workflow is over, as the form has it.
 * @throws with n8n's answer where its status is not 2xx
 */
export async function sendForm(url: string, values: readonly FormValue[]): Promise<string> {
	const body = new FormData();
	for (const [place, value] of values.entries()) {
		const name = `field-${String(place)}`;
		if (typeof value === 'string') body.append(name, value);
		else if (isFiles(value)) for (const file of value) body.append(name, file);
		else body.append(name, JSON.stringify(value));
	}
	return await textOf(
		await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(120_000) }),
	);
}

function isFiles(value: readonly string[] | readonly File[]): value is readonly File[] {
	return value.length > 0 && value.every((element) => element instanceof File);
}

async function textOf(response: Response): Promise<string> {
	const text = await response.text();
	if (!response.ok) throw new Error(`the form answered ${String(response.status)}: ${text}`);
	return text;
}
