// @ts-check
/** One message of a call: its headers and its body. */
import { html } from '../html.js';
import { Json } from '../json.js';
import { sizeOf } from './measures.js';

/**
 * @param {{ label: string, headers: Readonly<Record<string, string>> | undefined, body: unknown, findings: readonly import('../findings.js').Finding[] | undefined }} given
 */
export function Message({ label, headers, body, findings = [] }) {
  return html`
    <h3>Headers</h3>
    <${Headers} headers=${headers} findings=${findings} />
    <h3>Body <span class="quiet">${sizeOf(body)}</span></h3>
    ${body === null ? html`<p class="quiet">No body.</p>` : html`<${Json} value=${body} label=${`${label} body`} findings=${findings} />`}
  `;
}

/** @param {{ headers: Readonly<Record<string, string>> | undefined, findings: readonly import('../findings.js').Finding[] }} given */
function Headers({ headers, findings }) {
  if (headers === undefined) return html`<p class="quiet">Not recorded.</p>`;
  const entries = Object.entries(headers);
  if (entries.length === 0) return html`<p class="quiet">No headers.</p>`;
  const wrong = new Set(findings.map(({ pointer }) => /^\/headers\/(.+)$/.exec(pointer)?.[1]?.toLowerCase()));
  return html`
    <dl class="headers">
      ${entries.map(([name, value]) => html`<div class=${wrong.has(name) ? 'found' : undefined}><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}
    </dl>
  `;
}
