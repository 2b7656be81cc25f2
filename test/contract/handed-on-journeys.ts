/** Paths that carry text through pages or several calls. */

import { stubClient } from '../harness/client-stub.ts';
import { serve } from '../harness/http-server.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, type TestSandbox } from '../harness/sandbox.ts';
import { entryFor, hidden, look, onward } from '../harness/visitor.ts';
import { unregister } from '../harness/webhook-receiver.ts';
import { asText, type Odd } from './handed-on-texts.ts';

/** Sends unusual text along one path. Returns the status, or NaN if no call arrived. */
type Send = (odd: Odd) => Promise<number>;

export interface Way {
  readonly way: string;
  readonly open: (sandbox: TestSandbox) => Promise<Send> | Send;
  /** Cleans up after a batch. */
  readonly close?: (sandbox: TestSandbox) => Promise<unknown>;
}

const form = 'application/x-www-form-urlencoded';

const portal = (part: 'token' | 'uid'): Way => ({
  way: `/portal/signin ${part}`,
  open: (sandbox) => {
    const parameters = { token: 'x', uid: 'CUST0001' };
    return async ({ url }) => {
      const query = Object.entries(parameters).map(([name, value]) => `${name}=${name === part ? url : value}`);
      return (await look(`${sandbox.urls.portal}/signin?${query.join('&')}`)).status;
    };
  },
});

const formOf = (url: string, name: string, { url: odd }: Odd) =>
  look(url, { method: 'POST', headers: { 'content-type': form }, body: `${name}=${odd}` });

const microsite: Way[] = [
  {
    way: '/microsite/codes customer_id',
    open:
      ({ origin }) =>
      async (odd) =>
        (await formOf(`${origin}/microsite/codes`, 'customer_id', odd)).status,
  },
  {
    way: '/microsite/s/{session}/code otp',
    open: async ({ origin }) => {
      const first = await formOf(`${origin}/microsite/codes`, 'customer_id', asText('CUST0002'));
      return async (odd) => (await formOf(onward(first), 'otp', odd)).status;
    },
  },
];

/** Fields of the portal's order form. */
const orderForm: Way = {
  way: '/portal/s/{session}/orders address',
  open: async (sandbox) => {
    const session = new URL('.', onward(await look(await entryFor(sandbox, 'CUST0001')))).href;
    return async ({ url }) => {
      const { form_key = '' } = hidden(await look(`${session}rewards/PHY-LAMP-01`));
      const body = `form_key=${form_key}&sku=PHY-LAMP-01&quantity=1&pincode=560038&state=29&address=12+Lake+View${url}`;
      return (await look(`${session}orders`, { method: 'POST', headers: { 'content-type': form }, body })).status;
    };
  },
};

/** Registers an address. If the sandbox accepts it, posts a catalogue change there. */
const webhook = (part: string, make: (origin: string, odd: Odd) => string): Way => ({
  way: `/rewards/v1/partner/webhooks ${part} of url`,
  open: async (sandbox) => {
    const webhookCalls: string[] = [];
    const origin = await serve((request, _, response) => {
      webhookCalls.push(request.url ?? '');
      response.writeHead(204).end();
    });
    const client = sandbox.rewards(await sandbox.companyToken());
    return async (odd) => {
      const { data, response } = await client.POST('/v1/partner/webhooks', { body: { url: make(origin, odd) } });
      if (data === undefined) return response.status;
      const before = webhookCalls.length;
      ok(await sandbox.control.POST('/triggers/catalogue_change', { body: {} }));
      await advance(sandbox, 0);
      await unregister(sandbox, data.webhook_id);
      return webhookCalls.length > before ? response.status : Number.NaN;
    };
  },
});

/** A token that the client issues to a microsite customer, who then enters the portal with it. */
const issued: Way = {
  way: 'a token from verify-otp',
  open: async (sandbox) => {
    let odd = '';
    await stubClient(sandbox, ({ operation }) => {
      if (!operation.endsWith('verify-otp')) return 'pass';
      const points = { totalEarned: 0, balance: 0, totalRedeemed: 0 };
      return {
        status: 200,
        body: { success: true, status: 200, token: odd, token_type: 'Bearer', expires_in: 60, points },
      };
    });
    const { origin } = sandbox;
    return async ({ text }) => {
      odd = text;
      const first = await formOf(`${origin}/microsite/codes`, 'customer_id', asText('CUST0003'));
      if (first.status !== 303) return first.status;
      const signedIn = await formOf(onward(first), 'otp', asText('123456'));
      // A token that violates the client's contract makes the reply unusable, so the page responds with a 502.
      if (signedIn.status !== 303) return signedIn.status === 502 ? 422 : signedIn.status;
      const entered = await formOf(new URL('rewards', onward(signedIn)).href, 'view', asText('page'));
      return entered.status === 303 ? (await look(onward(entered))).status : entered.status;
    };
  },
  close: ({ control }) => control.PATCH('/workspace', { body: { settings: { client_url: null } } }),
};

/** A client setting, followed by an order that uses it. */
const setting = (name: 'client_url' | 'client_token'): Way => ({
  way: `/sandbox/v1/workspace ${name}`,
  open: (sandbox) => {
    const defaults = { client_url: sandbox.urls.client, client_token: 'x' };
    return async ({ text }) => {
      const settings = { [name]: `${defaults[name]}${text}` };
      const { response, data } = await sandbox.control.PATCH('/workspace', { body: { settings } });
      if (data === undefined || name === 'client_url') return response.status;
      return (await order(sandbox)).response.status;
    };
  },
  close: ({ control }) => control.PATCH('/workspace', { body: { settings: { client_url: null, client_token: null } } }),
});

/** A customer with an unusual id, who then earns points and places an order. */
const customer: Way = {
  way: '/sandbox/v1/customers uid',
  open: (sandbox) => {
    return async ({ text: uid }) => {
      const body = { uid, points: { balance: 1000 } };
      const { data, response } = await sandbox.control.POST('/customers', { body });
      if (data === undefined) return response.status;
      ok(await sandbox.control.POST('/triggers/payment', { body: { uid } }));
      return (await order(sandbox, { uid })).response.status;
    };
  },
};

/** All paths that need several calls. */
export const journeys: readonly Way[] = [
  portal('token'),
  portal('uid'),
  ...microsite,
  issued,
  orderForm,
  webhook('path', (origin, { text }) => `${origin}/${text}`),
  webhook('encoded path', (origin, { url }) => `${origin}/${url}`),
  webhook('query', (origin, { url }) => `${origin}/?${url}=${url}`),
  webhook('host', (origin, { text }) => `${origin}${text}`),
  setting('client_url'),
  setting('client_token'),
  customer,
];
