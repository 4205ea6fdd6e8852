/**
 * Fills in a form of n8n's Form Trigger and sends it as the form's own page does. Resolves when n8n has answered: at
 * once, or when the workflow is over, as the form has it.
 * @param answers by the field's place in the form; several choices as an array
 * @param files for the field after the last answer
 * @throws with n8n's answer where its status is not 2xx
 */
export async function sendForm(
	url: string,
	answers: readonly (string | readonly string[])[],
	files: readonly File[],
): Promise<void> {
	const body = new FormData();
	for (const [place, answer] of answers.entries()) {
		const value = typeof answer === 'string' ? answer : JSON.stringify(answer);
		body.append(`field-${String(place)}`, value);
	}
	for (const file of files) body.append(`field-${String(answers.length)}`, file);
	const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(120_000) });
	if (response.ok) return;
	throw new Error(`the form answered ${String(response.status)}: ${await response.text()}`);
}
