// @ts-check
/** What to do next: from a first call to a server that is certified. */
import { api, ask } from '../api.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Panel, Problem } from '../parts.js';

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {{ title: string, is: boolean, text: unknown }} FirstStep
 */

/** @param {{ workspace: Schemas['Workspace'], orders: readonly Schemas['PlacedOrder'][] }} given */
export function FirstSteps({ workspace, orders }) {
  const { data, failure } = useFresh(() => ask(api.GET('/certifications')), []);
  if (failure !== undefined) return html`<${Panel} title="Next steps"><${Problem} failure=${failure} /><//>`;
  const steps = stepsOf(workspace, orders, data?.items ?? []);
  const next = steps.find(({ is }) => !is);
  const done = steps.filter(({ is }) => is).length;
  return html`
    <${Panel} title=${next === undefined ? 'All done' : 'Next steps'} aside=${html`<span class="quiet" role="status">${done} of ${steps.length} done</span>`}>
      <ol class="first-steps">
        ${steps.map(
          ({ title, is, text }) => html`
            <li class=${is ? 'done' : ''}>
              <svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="8.5" /><path d="M6 10.5l2.7 2.7L14 7.5" /></svg>
              <strong>${title}${is && html`<span class="unseen"> (done)</span>`}</strong>
              ${!is && html`<p class="quiet">${text}</p>`}
            </li>
          `,
        )}
      </ol>
    <//>
  `;
}

/**
 * @param {Schemas['Workspace']} workspace
 * @param {readonly Schemas['PlacedOrder'][]} orders
 * @param {readonly Schemas['CertificationSummary'][]} certifications
 * @returns {readonly FirstStep[]}
 */
function stepsOf({ urls, settings }, orders, certifications) {
  return [
    {
      title: 'Place an order',
      is: orders.length > 0,
      text: html`As a customer on the <a href=${urls.microsite}>microsite</a>, or with an API call: see the <a href="/docs/quickstart">quickstart</a>.`,
    },
    {
      title: 'See a voucher delivered',
      is: orders.some(({ order: { lines } }) => lines.some(({ status }) => status === 'Delivered')),
      text: html`The vendor responds after two seconds of sandbox time. If the clock is frozen, <a href="/dashboard/simulation?view=clock">advance it</a>.`,
    },
    {
      title: 'Connect your own server',
      is: settings.client_url !== urls.client,
      text: html`Enter its address and service token under <a href="/dashboard/server">Your server</a>. See <a href="/docs/what-you-build">what to build</a>.`,
    },
    {
      title: 'Certify your server',
      is: certifications.some(({ outcome }) => outcome === 'passed'),
      text: html`<a href="/dashboard/server?view=certification">Certification</a> calls your server as the platform does and checks each requirement.`,
    },
  ];
}
