/** Tests that every refusal before an operation handles a call is documented for that operation and occurs as documented. */
import { expect, it } from 'vitest';
import { proxiedSandbox } from '../harness/proxied.ts';
import { ok } from '../harness/sandbox.ts';
import { look } from '../harness/visitor.ts';
import {
  Asking,
  documenting,
  duplicateAuthorization,
  oversized,
  undocumentedType,
  unknownCredential,
} from './asking.ts';
import { visits } from './visits.ts';

const uid = 'CUST0007';
const pages = ['portal', 'microsite', 'dashboard', 'start'] as const;
const parties = ['rewards', 'client', 'general'] as const;

it('400: a request with two Authorization headers (OP-03)', async () => {
  const asking = await Asking.of(await proxiedSandbox());
  await asking.expectAll(400, undefined, duplicateAuthorization);
  await asking.end();
});

it('401: a credential that was never issued (OP-13, OP-65)', async () => {
  const asking = await Asking.of(await proxiedSandbox());
  await asking.expectAll(401, undefined, (draft, operation) => {
    unknownCredential(draft, operation);
    // The contracts' examples contain valid credentials.
    if (operation.operationId === 'companyAuth') draft.request.body = { secret: 'no-company' };
    if (operation.operationId === 'login') draft.request.body = { username: uid, password: 'no-password' };
  });
  await asking.end();
});

it('403: a server that is not on the allowlist (OP-31)', async () => {
  const sandbox = await proxiedSandbox();
  const asking = await Asking.of(sandbox);
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { allowlist: ['10.0.0.0/8'] } } }));
  await asking.expectAll(403, undefined);
  await asking.end();
});

it('410: a page of an ended visit (OP-96, OP-97)', async () => {
  const asking = await Asking.of(await proxiedSandbox());
  await asking.expectAll(410, pages);
  await asking.end();
});

it('413, 415: a body that is too large, or of another type (OP-39)', async () => {
  const sandbox = await proxiedSandbox();
  const asking = await Asking.of(sandbox);
  asking.sessions = await visits(sandbox, uid);
  await asking.expectAll(413, undefined, oversized);
  await asking.expectAll(415, undefined, undocumentedType, 'request.media-type.undocumented');
  await asking.end();
});

it('429: a call beyond the quota of the hour (OP-30)', async () => {
  const sandbox = await proxiedSandbox();
  const asking = await Asking.of(sandbox);
  ok(await sandbox.control.PATCH('/workspace', { body: { settings: { rate_limit: 1 } } }));
  const { company_secret: secret, general } = sandbox.credentials;
  await asking.expectAll(429, undefined, ({ request }, { operationId }) => {
    if (operationId === 'companyAuth') request.body = { secret };
    if (operationId === 'login') request.body = { username: uid, password: general.password };
  });
  await asking.end();
});

it.each([500, 503])('%i: a fault of the platform or the client (OP-70)', async (status) => {
  const sandbox = await proxiedSandbox();
  const asking = await Asking.of(sandbox);
  for (const operation of await documenting(status, parties)) {
    const body = { target: operation.operationId, fault: 'status', status, times: 1 } as const;
    ok(await sandbox.control.POST('/faults', { body }));
    await asking.expect(status, operation);
  }
  await asking.end();
});

it('503: a sandbox that is stopping, in the error format of each API and site', async () => {
  const sandbox = await proxiedSandbox();
  const asking = await Asking.of(sandbox);
  // A slow form submission delays the sandbox's shutdown.
  const slow = new TransformStream<Uint8Array, Uint8Array>();
  const writer = slow.writable.getWriter();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const form = { method: 'POST', headers, body: slow.readable, duplex: 'half', redirect: 'manual' } as RequestInit;
  const answered = fetch(`${sandbox.urls.microsite}/codes`, form);
  await writer.write(Buffer.from('customer_id='));
  while ((await look(sandbox.urls.microsite)).status !== 200);
  const ending = sandbox.close();
  while ((await look(`${sandbox.urls.sandbox}/health`)).status !== 503);
  await asking.expectAll(503, ['sandbox', 'gateway', ...pages]);
  await writer.write(Buffer.from(uid));
  await writer.close();
  expect((await answered).status).toBe(303);
  await ending;
  await asking.end();
});
