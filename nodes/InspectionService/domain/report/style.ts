/** The style of a report. Logical directions, so that it also fits text from right to left. */
export const STYLE = `
:root { --ink: #1b2430; --soft: #5a6575; --line: #d8dee6; --fill: #f3f5f8; --accent: #14507d; --bad: #b3261e; --bad-fill: #fdeeec; }
* { box-sizing: border-box; }
body { font: 11pt/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", sans-serif; color: var(--ink); max-width: 190mm; margin: 0 auto; padding: 10mm 6mm; overflow-wrap: anywhere; }
h1 { font-size: 21pt; line-height: 1.2; margin: 0; }
h2, h3, h4 { line-height: 1.25; margin: 0; padding: 0 0 1.5mm; break-after: avoid; }
h2 { font-size: 14pt; color: var(--accent); margin-top: 9mm; border-bottom: 0.6mm solid var(--accent); }
h3 { font-size: 12pt; margin-top: 6mm; }
h4 { font-size: 11pt; margin-top: 4mm; color: var(--soft); }
header { border-bottom: 0.6mm solid var(--accent); padding-bottom: 4mm; margin-bottom: 5mm; }
.kind { color: var(--accent); font-weight: 600; margin: 0 0 1mm; }
.status { display: inline-block; margin: 2.5mm 0 0; padding: 0.4mm 3mm; border: 0.3mm solid var(--accent); border-radius: 4mm; color: var(--accent); font-size: 9.5pt; font-weight: 600; }
dl { margin: 0; }
dl > div { display: grid; grid-template-columns: 45% 1fr; column-gap: 6mm; padding: 1.6mm 2mm; border-bottom: 0.2mm solid var(--line); }
.facts > div { grid-template-columns: 36mm 1fr; padding: 0.6mm 0; border: 0; }
dt { font-weight: 600; }
.facts dt { color: var(--soft); font-weight: 400; }
dd { margin: 0; min-width: 0; white-space: pre-line; }
dl > div:not(.with-files), .short, figure, .attention li { break-inside: avoid; }
.open dd { color: var(--soft); }
.marked { background: var(--bad-fill); border-inline-start: 1mm solid var(--bad); }
dl > .marked { padding-inline-start: 1mm; }
.mark { display: inline-block; padding: 0 2mm; margin-inline-end: 2mm; border-radius: 1mm; background: var(--bad); color: #fff; font-size: 9pt; }
.attention { margin-top: 5mm; padding: 3mm 5mm; background: var(--bad-fill); border-inline-start: 1mm solid var(--bad); }
.attention h2 { margin: 0; border: 0; color: var(--bad); font-size: 12pt; padding: 0; }
.attention ul { margin: 1mm 0 0; padding-inline-start: 5mm; }
a { color: inherit; }
.photos { display: grid; grid-template-columns: repeat(auto-fill, minmax(52mm, 1fr)); gap: 4mm; margin-top: 2mm; }
figure { margin: 0; }
img { display: block; width: 100%; max-height: 100mm; object-fit: contain; background: var(--fill); border-radius: 1mm; }
.signature img { background: #fff; border: 0.2mm solid var(--line); width: auto; max-width: 100%; height: 28mm; }
figcaption, .files, footer { font-size: 9pt; color: var(--soft); }
.files { margin: 1mm 0; padding-inline-start: 5mm; }
.problem { color: var(--bad); }
footer { margin-top: 10mm; padding-top: 2mm; border-top: 0.2mm solid var(--line); }
@page { margin: 15mm 14mm 17mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #5a6575; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } .marked, .mark, .attention, img { print-color-adjust: exact; -webkit-print-color-adjust: exact; } a { text-decoration: none; } }
@media screen and (max-width: 120mm) { dl > div, .facts > div { grid-template-columns: 1fr; } }
@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; --ink: #e4e8ee; --soft: #a3adba; --line: #39424f; --fill: #232a34; --accent: #7db8e8; --bad: #ff8a80; --bad-fill: #3a2020; } body { background: #161b22; } .mark { color: #161b22; } }
`;
