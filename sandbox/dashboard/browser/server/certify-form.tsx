import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api.ts';
import { Choice, Field, type Fields, Form, filled } from '../forms.tsx';
import { go, withQuery } from '../route.ts';

/** The last input, retained for the next run until the page is closed. */
let typed = { customers: 'CUST0001', otp: 'gateway' } as Fields;

const apis = [
  ['', 'All versions that the server supports'],
  ['v1', 'Version 1.0'],
  ['v2', 'Version 2.0'],
  ['both', 'Both'],
] as const;

const sources = [
  ['gateway', 'From the message gateway'],
  ['code', 'A fixed code'],
  ['url', 'From a URL'],
  ['', 'Skip requirements that need a signed-in customer'],
] as const;

export function CertifyForm({ workspace: { settings } }: { workspace: Schemas['Workspace'] }) {
  const [source, setSource] = useState(typed.otp ?? '');
  const run = async (fields: Fields) => {
    typed = { ...fields, otp: source };
    const { id } = await ask(api.POST('/certifications', { body: requestOf(typed) }));
    go(withQuery({ run: id, with: undefined }));
    return `${id} started.`;
  };
  const sure = ({ client_url = '' }: Fields) => {
    const { hostname } = new URL(client_url || settings.client_url);
    if (/(^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname)) return undefined;
    return `The run changes the ledger of ${hostname} and restores it at the end. Is this a test server?`;
  };
  const { client_url, service_token, basic, api: version = '', customers, given } = typed;
  return (
    <Form title="Certification" label="Run certification" run={run} sure={sure}>
      <Field
        name="client_url"
        label="Server"
        type="url"
        maxlength="500"
        grow
        value={client_url}
        placeholder={settings.client_url}
      >
        Optional. Defaults to the server that the platform calls, with its token and Basic credentials.
      </Field>
      <Field name="service_token" label="Service token" type="password" maxlength="4096" grow value={service_token} />
      <Field
        name="basic"
        label="Basic credentials"
        type="password"
        maxlength="1000"
        pattern="[^:]+:.*"
        grow
        value={basic}
        placeholder="user:password"
      />
      <Choice name="api" label="API" options={apis} value={version} />
      <Field name="customers" label="Customers" required grow value={customers}>
        Comma-separated uids. The first needs 5,000 points; a second enables checks with another customer's token.
      </Field>
      <Choice name="otp" label="One-time passwords" options={sources} value={source} change={setSource} grow />
      {source === 'code' && <Field name="given" label="Code" required maxlength="20" value={given} />}
      {source === 'url' && (
        <Field name="given" label="URL of the code" type="url" required maxlength="1000" grow value={given}>
          {'{customer_id} and {reference_id} are replaced.'}
        </Field>
      )}
    </Form>
  );
}

/** Returns the request body for the control API. */
function requestOf(fields: Fields): Schemas['CertificationInput'] {
  const { customers = '', api = '', otp = '', given = '', client_url, service_token, basic } = fields;
  const source = otp === 'gateway' ? { gateway: true } : { [otp]: given };
  return {
    ...filled({ client_url, service_token, basic }),
    ...(api !== '' && { api }),
    customers: [...new Set(customers.split(/[\s,]+/).filter((uid) => uid !== ''))],
    ...(otp !== '' && { otp: source }),
  } as Schemas['CertificationInput'];
}
