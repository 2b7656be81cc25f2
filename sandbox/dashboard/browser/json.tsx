// @ts-check
/** A body, coloured, with each finding behind the line of it that it is about. */
import { restsOn } from './findings.js';
import { html } from './html.js';
import { Code, Copy } from './parts.js';
import { linesOf, placed } from './traffic/json-lines.js';

/** @typedef {import('./findings.js').Finding} Finding */

/** A longer text is shown as it is: each part that is coloured is an element of the page. */
const mostColoured = 20_000;

/**
 * @param {{ value: unknown, label: string, findings?: readonly Finding[] }} given Findings of this body only.
 */
export function Json({ value, label, findings = [] }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  if (typeof value === 'string' || text.length > mostColoured) return html`<${Code} value=${value} label=${label} />`;
  const lines = linesOf(value);
  const notes = placed(lines, findings);
  return html`
    <div class="code json">
      <pre tabindex="0" aria-label=${label}><code>${lines.map(({ parts }, at) => html`<${Line} parts=${parts} notes=${notes.get(at) ?? []} end=${at < lines.length - 1 ? '\n' : ''} />`)}</code></pre>
      <${Copy} text=${text} what=${label} />
    </div>
  `;
}

/** @param {{ parts: readonly import('./traffic/json-lines.js').Part[], notes: readonly Finding[], end: string }} given */
function Line({ parts, notes, end }) {
  const drawn = parts.map(({ kind, text }) => (kind === 'plain' ? text : html`<span class=${kind}>${text}</span>`));
  if (notes.length === 0) return html`${drawn}${end}`;
  const worst = notes.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
  // The end of a line ends the block, too, and would be an empty line behind it.
  return html`<span class=${`found ${worst}`}>${drawn}${end}</span>${notes.map((note) => html`<span class=${`note ${note.severity === 'error' ? 'bad' : 'warn'}`}>${note.expected}, ${restsOn(note)}${end}</span>`)}`;
}
