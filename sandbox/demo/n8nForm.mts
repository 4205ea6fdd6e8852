/**
 * Submits a form of n8n's Form Trigger, like the form's own page. Resolves when n8n responds: immediately or after the
 * workflow has finished, depending on the form's setting.
 *
 * @param answers in the order of the form's fields; an array means several choices
 * @param files for the field after the last answer
 * @throws with n8n's response unless its status is 2xx
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
