/** Tests that every refusal by an operation itself is documented for that operation and occurs as documented. */
import { it } from 'vitest';
import { someone } from '../harness/callers.ts';
import { closedPort, serve } from '../harness/http-server.ts';
import { voucher } from '../harness/orders.ts';
import { proxiedSandbox } from '../harness/proxied.ts';
import { ok } from '../harness/sandbox.ts';
import { enter, entryFor, onward, orderFields, send } from '../harness/visitor.ts';
import { Asking, type Change, documenting, missingResource, unknownCredential } from './asking.ts';
import { handleIn, visits, waitingVisit } from './visits.ts';

const uid = 'CUST0007';
const form =
  (fields: Record<string, string>): Change =>
  ({ request }) => {
    request.body = new URLSearchParams(fields).toString();
  };
const json =
  (fields: object): Change =>
  ({ request }) => {
    request.body = { ...(request.body as object), ...fields };
  };

it('404: a call names a resource that does not exist (OP-41)', async () => {
  const sandbox = await proxiedSandbox();
  const asking = await Asking.of(sandbox);
  asking.sessions = await visits(sandbox, uid);
  const { form_key = '' } = await orderFields(await enter(sandbox, uid), voucher.sku);
  const { admin_token } = ok(await sandbox.control.POST('/workspaces', { body: {} }));
  await asking.expectAll(404, undefined, (draft, operation) => {
    missingResource(draft, operation);
    const { operationId } = operation;
    // Partners have no access to the list of trusted keys.
    if (operation.path === '/trusted-keys') draft.request.headers.authorization = `Bearer ${admin_token}`;
    if (operationId === 'triggerCatalogueChange') json({ sku_code: 'NOTHING-1' })(draft, operation);
    if (operationId === 'triggerWebhookTest') json({ webhook_id: 'WHK-NOTHING' })(draft, operation);
    if (operationId === 'sendMcpMessage') {
      const revision = '2026-07-28';
      Object.assign(draft.request.headers, { 'mcp-protocol-version': revision, 'mcp-method': 'prompts/list' });
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientInfo': { name: 'journey', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      draft.request.body = { jsonrpc: '2.0', id: 3, method: 'prompts/list', params: { _meta } };
    }
    if (operationId === 'placePortalOrder') form({ form_key, sku: 'NOTHING-1', quantity: '1' })(draft, operation);
  });
  await asking.end();
});

it('409: the same key or id for something else (OP-20, OP-41)', async () => {
  const sandbox = await proxiedSandbox();
  const asking = await Asking.of(sandbox);
  const session = await enter(sandbox, uid);
  asking.sessions = { portal: handleIn(session) };
  const fields = await orderFields(session, voucher.sku);
  const delivered = new URL(onward(await send(`${session}orders`, fields))).pathname.split('/').at(-1);
  ok(await sandbox.control.POST('/clock/advance', { body: { seconds: 2 } }));
  while ((await sandbox.control.POST('/snapshots', { body: {} })).response.status === 201);
  const client_url = await serve(() => new Promise(() => {}));
  ok(await sandbox.control.POST('/certifications', { body: { client_url, customers: [uid] } }));
  const changes: Record<string, Change> = {
    startCertification: () => {},
    placePortalOrder: form({ ...fields, quantity: '2' }),
    createCustomer: json({ uid }),
    createCatalogueItem: json({ sku_code: voucher.sku }),
    createSnapshot: () => {},
    cancelPortalOrder: (draft) => {
      draft.path = draft.path.replace(/orders\/[^/]+/, `orders/${delivered}`);
    },
  };
  for (const operation of await documenting(409)) {
    const { operationId, parameters } = operation;
    const change = changes[operationId];
    if (change !== undefined) await asking.expect(409, operation, change);
    if (!parameters.some(({ name }) => name === 'Idempotency-Key')) continue;
    const keyed: Change = ({ request }) => {
      request.headers['idempotency-key'] = operationId;
    };
    await asking.send(operation, keyed);
    await asking.expect(409, operation, (draft) => {
      keyed(draft, operation);
      json({ more: 1 })(draft, operation);
    });
  }
  await asking.end();
});

it('422: a valid request is refused', async () => {
  const sandbox = await proxiedSandbox();
  const asking = await Asking.of(sandbox);
  asking.sessions = await visits(sandbox, uid);
  const { form_key = '' } = await orderFields(await enter(sandbox, uid), 'PHY-KETTLE-01');
  // Create one sign-in that has already opened the portal, and one that still waits for its code.
  const { microsite: signedIn } = asking.sessions;
  await send(`${sandbox.urls.microsite}/s/${signedIn}/rewards`, { view: 'page' });
  const waiting = await waitingVisit(sandbox, uid);
  const refuse = { target: 'getProfileAndPoints', fault: 'status', status: 422, times: 1 } as const;
  const line_items = [{ sku: voucher.sku, quantity: 10 }];
  const changes: Record<string, Change> = {
    createRedemptionOrder: json({ uid: someone, line_items }),
    createOrder: json({ customer_id: someone, line_items }),
    createProductOrder: json({ line_items }),
    generateOtp: json({ customer_id: 'NOBODY' }),
    openPortal: () => {},
    sendPaymentEvent: json({ uid: 'NOBODY' }),
    placePortalOrder: form({ form_key, sku: 'PHY-KETTLE-01', quantity: '1' }),
    requestCode: form({ customer_id: 'NOBODY' }),
    checkCode: form({ otp: '12' }),
    resendCode: () => {},
    enterRewards: () => {},
    verifyOtp: () => {},
    customerAuth: () => {},
    getUserProfile: () => {},
    // Do not use the code of the record that the client refuses.
    // The platform would report the delivery of an item that was never ordered.
    updateRedeemStatus: json({ redeemCode: 'RDM-999999-UNKNOWN' }),
  };
  for (const operation of await documenting(422)) {
    const { operationId } = operation;
    if (operationId === 'getUserProfile') ok(await sandbox.control.POST('/faults', { body: refuse }));
    if (operationId === 'checkCode' || operationId === 'resendCode') asking.sessions.microsite = waiting;
    await asking.expect(422, operation, changes[operationId] ?? unknownCredential);
    asking.sessions.microsite = signedIn ?? '';
  }
  await asking.end();
});

it('502: the client does not answer (OP-13)', async () => {
  const sandbox = await proxiedSandbox();
  const asking = await Asking.of(sandbox);
  const { control, credentials } = sandbox;
  const session = await enter(sandbox, uid);
  asking.sessions = { portal: handleIn(session), microsite: await waitingVisit(sandbox, uid) };
  const entry = Object.fromEntries(new URL(await entryFor(sandbox, uid)).searchParams);
  const fields = await orderFields(session, 'EGV-CHAI-100');
  ok(await control.POST('/clock/advance', { body: { seconds: 30 } }));
  ok(await control.PATCH('/workspace', { body: { settings: { client_url: await closedPort() } } }));
  const line_items = [{ sku: 'EGV-CHAI-100', quantity: 1 }];
  const { password } = credentials.general;
  // The platform calls the client only for a new JWT.
  const withNewJwt: Change = ({ request }) => {
    request.headers.authorization = `Bearer ${entry.token}`;
  };
  const changes: Record<string, Change> = {
    createRedemptionOrder: json({ uid: someone, line_items }),
    createOrder: json({ customer_id: someone, line_items }),
    createProductOrder: json({ line_items }),
    login: json({ username: uid, password }),
    openPortal: (draft) => {
      draft.query = entry;
    },
    placePortalOrder: form(fields),
    checkCode: form({ otp: '123456' }),
    listCatalog: withNewJwt,
    getOrderStatus: withNewJwt,
  };
  for (const operation of await documenting(502)) await asking.expect(502, operation, changes[operation.operationId]);
  await asking.end();
});
