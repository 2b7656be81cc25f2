// @ts-check
import { useState } from 'preact/hooks';
import { api, ask } from '../api.js';
import { Choice, Field, Form, filled } from '../forms.js';
import { html } from '../html.js';
import { go, withQuery } from '../route.js';

/** @typedef {import('../api.js').Schemas} Schemas */

/** What was typed last, for the next run after a fix; it is gone with the page. */
let typed = /** @type {import('../forms.js').Fields} */ ({ customers: 'CUST0001', otp: 'gateway' });

const apis = /** @type {const} */ ([
  ['', 'Those that the server has'],
  ['v1', 'Version 1.0'],
  ['v2', 'Version 2.0'],
  ['both', 'Both'],
]);

const sources = /** @type {const} */ ([
  ['gateway', 'From the message gateway of this sandbox'],
  ['code', 'Always the same code'],
  ['url', 'At an address'],
  ['', 'Not at all: what needs a customer is left out'],
]);

/** @param {{ workspace: Schemas['Workspace'] }} given */
export function CertifyForm({ workspace: { settings } }) {
  const [source, setSource] = useState(typed.otp ?? '');
  /** @param {import('../forms.js').Fields} fields */
  const run = async (fields) => {
    typed = { ...fields, otp: source };
    const body = requestOf(typed);
    const { id } = await ask(api.POST('/certifications', { body }));
    go(withQuery({ run: id, with: undefined }));
    return `${id} has begun.`;
  };
  /** @param {import('../forms.js').Fields} fields */
  const sure = ({ client_url = '' }) => {
    const { hostname } = new URL(client_url || settings.client_url);
    if (/(^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname)) return undefined;
    return `The ledger of ${hostname} is changed, and put back at the end. Is it a test server?`;
  };
  const { client_url, service_token, basic, api: version = '', customers, given } = typed;
  return html`
    <${Form} title="the certification" label="Run" run=${run} sure=${sure}>
      <${Field} name="client_url" label="Server" type="url" maxlength="500" grow value=${client_url} placeholder=${settings.client_url}
        hint="Left empty, the server that the platform calls, with its token and Basic credentials." />
      <${Field} name="service_token" label="Its service token" maxlength="4096" grow value=${service_token} />
      <${Field} name="basic" label="Its Basic credentials" maxlength="1000" pattern="[^:]+:.*" grow value=${basic} placeholder="user:password" />
      <${Choice} name="api" label="API" options=${apis} value=${version} />
      <${Field} name="customers" label="Customers" required grow value=${customers} hint="By uid, with commas between. The first needs 5000 points; a second is needed for other customers' tokens." />
      <${Choice} name="otp" label="How codes are read" options=${sources} value=${source} change=${setSource} grow />
      ${source === 'code' && html`<${Field} name="given" label="The code" required maxlength="20" value=${given} />`}
      ${source === 'url' && html`<${Field} name="given" label="Address of the codes" type="url" required maxlength="1000" grow value=${given} hint=${'{customer_id} and {reference_id} are filled in.'} />`}
    <//>
  `;
}

/**
 * What the control API is asked for.
 * @param {import('../forms.js').Fields} fields
 * @returns {Schemas['CertificationInput']}
 */
function requestOf({ customers = '', api = '', otp = '', given = '', client_url, service_token, basic }) {
  const source = otp === 'gateway' ? { gateway: true } : { [otp]: given };
  return /** @type {Schemas['CertificationInput']} */ ({
    ...filled({ client_url, service_token, basic }),
    ...(api !== '' && { api }),
    customers: [...new Set(customers.split(/[\s,]+/).filter((uid) => uid !== ''))],
    ...(otp !== '' && { otp: source }),
  });
}
