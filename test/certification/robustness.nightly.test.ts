/** Tests the robustness requirements against a slow server and against TLS servers. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buildConnector } from 'undici';
import { expect, it } from 'vitest';
import { selfSigned } from '../../sandbox/http/x509.ts';
import { trustOnly } from '../../sandbox/http-client/connecting.ts';
import { closesWithTest } from '../harness/http-server.ts';
import { certifyServer, failedIds, idsWithVerdict, partner } from './judged.ts';
import { runCertification, words } from './run.ts';

it('a late answer blocks every requirement that needs it, and fails only the requirement about response time', async () => {
  const only = ['ROB-01', 'ROB-02', 'V2-02', 'DED-01', 'DED-08', 'STA-01'];
  const report = await certifyServer(await partner({ mistake: 'slow' }), { only, timeout_ms: 1000 });
  expect(failedIds(report)).toEqual(['ROB-01']);
  expect(idsWithVerdict(report, 'blocked').toSorted()).toEqual(only.slice(1).toSorted());
  expect(report.failures[0]?.exchanges[0]).toMatchObject({ status: null, problem: 'timeout: no response in time' });
});

it('a late server fails no requirement of the deduction and status groups', async () => {
  const groups = { only: ['deduction', 'status'], timeout_ms: 300 };
  const report = await certifyServer(await partner({ mistake: 'slow' }), groups);
  expect(failedIds(report)).toEqual([]);
});

/** Starts an HTTPS server that returns a balance for every request. */
async function secure(options: ServerOptions) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const cert = selfSigned(privateKey, Date.now(), 30);
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const server = createServer({ cert, key, ...options }, (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ profile: {}, points: { totalEarned: 9000, balance: 9000, totalRedeemed: 0 } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closesWithTest(async () => server.closeAllConnections());
  closesWithTest(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const input = { service_token: 'service-token', customers: ['ANN'], only: ['ROB-19', 'ROB-20'] };
  const client_url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { input: { ...input, client_url }, trusting: buildConnector({ timeout: 3000, ...trustOnly(cert) }) };
}

it('T6: with https, TLS 1.2 and a trusted certificate pass', async () => {
  const { input, trusting } = await secure({ minVersion: 'TLSv1.2' });
  const report = await runCertification(input, { connect: trusting });
  expect(words(report)).toMatchObject({ 'ROB-19': 'pass', 'ROB-20': 'pass' });
});

it('T6: a server that accepts TLS 1.1 fails', async () => {
  const { input, trusting } = await secure({ minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' });
  const report = await runCertification(input, { connect: trusting });
  expect(words(report)).toMatchObject({ 'ROB-19': 'fail', 'ROB-20': 'pass' });
  expect(report.failures[0]?.message).toBe('The server accepts TLSv1.1.');
});

it('T5: an untrusted certificate fails, and blocks the requirement about response time', async () => {
  const { input } = await secure({ minVersion: 'TLSv1.2' });
  const report = await runCertification({ ...input, only: ['ROB-01', ...input.only] });
  expect(words(report)).toMatchObject({ 'ROB-01': 'blocked', 'ROB-19': 'pass', 'ROB-20': 'fail' });
  expect(report.failures[0]?.message).toBe('The certificate is not valid: DEPTH_ZERO_SELF_SIGNED_CERT.');
});
