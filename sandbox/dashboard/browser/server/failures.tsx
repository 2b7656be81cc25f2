// @ts-check
import { restsOn } from '../findings.js';
import { html } from '../html.js';
import { Code, Empty, Panel } from '../parts.js';

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {Schemas['CertificationFailure']} Failure
 */

/**
 * What failed, in full.
 * @param {{ report: Schemas['CertificationReport'], left: number }} given
 */
export function Failures({ report: { failures, verdicts, outcome }, left }) {
  const titles = new Map(verdicts.map(({ id, title }) => [id, title]));
  if (failures.length === 0) {
    if (outcome === 'environment' || outcome === 'interrupted') return null;
    return html`<${Panel} title="Failures"><${Empty} title="No failures">Requirements that were not checked are listed below with the reason.<//><//>`;
  }
  return html`
    <${Panel} title="Failures" aside=${html`<span class="quiet">${failures.length}</span>`}>
      <ul class="deviations failures">
        ${failures.map((failure) => html`<li key=${failure.requirement}><${Shown} failure=${failure} title=${titles.get(failure.requirement)} /></li>`)}
      </ul>
      ${left > 0 && html`<p class="quiet">${left} ${left === 1 ? 'call was' : 'calls were'} left out to limit the size of the report.</p>`}
    <//>
  `;
}

/** @param {{ failure: Failure, title: string | undefined }} given */
function Shown({ failure, title }) {
  const { requirement, message, pointer, expected, actual, statement, contract, change, again, exchanges, breaks } =
    failure;
  const last = exchanges.at(-1);
  return html`
    <h3>${requirement}: ${title}</h3>
    <p>${message}</p>
    <dl>
      <dt>Expected</dt><dd>${expected}</dd>
      <dt>Actual</dt><dd><code>${actual}</code></dd>
      <dt>Where</dt><dd><code>${pointer}</code></dd>
      ${breaks.length > 0 && html`<dt>Also violates</dt><dd>${breaks.join(', ')}</dd>`}
      <dt>Basis</dt><dd>${restsOn({ basis: statement })}</dd>
      <dt>Contract</dt><dd><code>${contract.file}:${contract.line}</code></dd>
      <dt>Fix</dt><dd><strong>${change}</strong></dd>
      <dt>Re-run</dt><dd><code>rewards-sandbox certify ${again}</code></dd>
    </dl>
    ${last && html`<${Code} value=${last.curl} label=${`Call of ${requirement}`} />`}
    ${
      exchanges.length > 0 &&
      html`
        <details>
          <summary>${exchanges.length === 1 ? 'Show the call' : `All ${exchanges.length} calls`}<span class="unseen"> of ${requirement}</span></summary>
          ${exchanges.map((exchange, at) => html`<${Exchange} exchange=${exchange} what=${`call ${at + 1} of ${requirement}`} />`)}
        </details>
      `
    }
  `;
}

/** @param {{ exchange: Schemas['CertificationExchange'], what: string }} given */
function Exchange({ exchange: { method, url, request_body, status, reply_body, problem }, what }) {
  return html`
    <p><strong>${method}</strong> <code>${url}</code>: ${status ?? problem}</p>
    ${request_body !== null && request_body !== '' && html`<${Code} value=${request_body} label=${`Body sent in ${what}`} />`}
    ${reply_body !== null && reply_body !== '' && html`<${Code} value=${reply_body} label=${`Response to ${what}`} />`}
  `;
}
