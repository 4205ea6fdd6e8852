/** What is filled in, by the field's place in the form; several choices as an array. */
export type FormValue = string | readonly string[] | readonly File[];

/**
 * Fills in a form of n8n's Form Trigger and sends it as the form's own page does. Resolves when n8n has answered: at
 * once, or when the workflow is over, as the form has it.
 * @throws with n8n's answer where its status is not 2xx
 */
export async function sendForm(url: string, values: readonly FormValue[]): Promise<void> {
	const body = new FormData();
	for (const [place, value] of values.entries()) {
		const name = `field-${String(place)}`;
		if (typeof value === 'string') body.append(name, value);
		else if (isFiles(value)) for (const file of value) body.append(name, file);
		else body.append(name, JSON.stringify(value));
	}
	const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(120_000) });
	if (response.ok) return;
	throw new Error(`the form answered ${String(response.status)}: ${await response.text()}`);
}

function isFiles(value: readonly string[] | readonly File[]): value is readonly File[] {
	return value.length > 0 && value.every((element) => element instanceof File);
}
