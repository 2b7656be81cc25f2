/** Probes of HTTP behaviour: response times, methods, paths, connections, headers and TLS. */

import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Answer } from '../answer.ts';
import { assertRefused, describeAnswer, failWith } from '../assertions.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { Blocked, NotApplicable, returnIf, Silent } from '../verdict.ts';
import { assertNoServerError, assertUnharmed, booking, bookingsOf, carriedOutAsUsual } from './robustness-bodies.ts';

/** Number of concurrent calls that a busy platform sends. */
const many = 50;
/** Length of a long header, in characters. It is half the limit of most servers. */
const long = 4000;

export const robustnessProbes = {
  'ROB-01': async (probing) => {
    whole(await evenIfSilent(probing.readAccount()));
    for (const [name, body] of bookingsOf(probing, 3)) whole(await evenIfSilent(probing.operations[name](body)));
    const [late] = probing.run.partner.silent;
    if (late !== undefined) whole(late.answer);
  },
  'ROB-08': async (probing) => assertNoServerError(await probing.readAccount({ method: 'HEAD' }), 'HEAD'),
  'ROB-09': async (probing) => assertNoServerError(await probing.readAccount({ method: 'OPTIONS' }), 'OPTIONS'),
  'ROB-10': async (probing) => {
    const { headers } = (await probing.readAccount()).call;
    const call = { method: 'POST', path: `/${probing.fresh()}`, headers, body: Buffer.from('{}') };
    assertRefused(await probing.operations.send(call), 'A call to an unknown path');
  },
  'ROB-11': async (probing) => {
    for (const nth of ['first', 'second', 'third'])
      assertNoServerError(await probing.readAccount({ connection: 'persistent' }), `The ${nth} call on one connection`);
  },
  'ROB-12': async (probing) => {
    const answers = await Promise.all(Array.from({ length: many }, () => probing.readAccount()));
    // A 503 is also a valid answer, because the server may be busy.
    for (const answer of answers)
      if (answer.status !== 503) assertNoServerError(answer, `One of ${many} concurrent calls`);
  },
  'ROB-13': async (probing) => {
    const usual = await probing.readAccount();
    const [path] = usual.call.path.split('=');
    const encoded = Buffer.from(probing.customer).toString('hex').toUpperCase().replaceAll(/../g, '%$&');
    const answer = await probing.operations.send({ ...usual.call, path: `${path}=${encoded}` });
    await carriedOutAsUsual(answer, 'A call with a percent-encoded uid', async () => usual, readable(probing));
  },
  'ROB-14': async (probing) => {
    const answer = await probing.readAccount({}, `Zoë ✓ 東京 & = + %2F/${probing.fresh()}`);
    assertRefused(answer, 'A profile request for an unknown uid with unusual characters');
  },
  'ROB-15': async (probing) => {
    const name = 'x-certification';
    const headers = [
      [name, 'one'],
      [name, 'two'],
      [`${name}-long`, 'x'.repeat(long)],
    ] as const;
    const answer = await probing.readAccount({ headers });
    const what = `A call with a repeated header and one of ${long} characters`;
    await carriedOutAsUsual(answer, what, () => probing.readAccount(), readable(probing));
  },
  'ROB-16': async (probing) => {
    const { send, prerequisite } = booking(probing);
    const answer = await send({ framing: 'chunked' });
    await carriedOutAsUsual(answer, 'A call with a chunked body', () => send(), prerequisite);
  },
  'ROB-17': async (probing) => {
    const before = await probing.balance();
    const answer = await booking(probing).send({ method: 'GET' });
    assertRefused(answer, 'GET instead of POST');
    await assertUnharmed(probing, before, answer, 'GET instead of POST');
  },
  'ROB-18': async (probing) => {
    const answer = await probing.readAccount({ method: 'DELETE' });
    if (answer.status !== 405) throw new NotApplicable('The server never returns 405.');
    if (answer.headers.some(([name]) => name.toLowerCase() === 'allow')) return;
    failWith('A 405 response has no Allow header.', '/headers/allow', 'the allowed methods', 'nothing', [answer]);
  },
  'ROB-19': async (probing) => {
    const answer = await probing.readAccount();
    const old = await oldTlsVersion(probing.input.client_url);
    if (old !== undefined) failWith(`The server accepts ${old}.`, '', 'TLS 1.2 or later', old, [answer]);
  },
  'ROB-20': async (probing) => {
    const answer = await probing.readAccount();
    if (wrongCertificate(answer))
      failWith(`The certificate is not valid: ${answer.detail}.`, '', 'a valid chain', String(answer.detail), [answer]);
    if (answer.status === undefined) throw new Blocked('ROB-01', `No response: ${answer.detail}.`);
  },
} satisfies Record<string, Probe>;

/** Waits for the answer to a call. If the call times out, resolves with the answer that records the timeout. */
async function evenIfSilent(call: Promise<Answer>): Promise<Answer> {
  const result = await call.catch(returnIf(Silent));
  return result instanceof Silent ? result.answer : result;
}

/** Asserts that a complete answer arrived. */
function whole(answer: Answer): void {
  if (wrongCertificate(answer)) throw new Blocked(validChain, `Cannot connect: ${answer.detail}.`);
  const message = `The response was incomplete: ${answer.problem}, ${answer.detail}.`;
  if (answer.status === undefined) failWith(message, '', 'a response in time', describeAnswer(answer), [answer]);
}

/** Returns the requirement that a customer's balance can be read. */
function readable({ input }: ProbeContext): string {
  return input.api === 'v2' ? 'V2-01' : 'SHP-01';
}

/** The requirement that the certificate is valid. If it fails, no call is possible. */
const validChain = 'ROB-20';

/** Error codes for an invalid certificate or chain. */
const certificateCodes = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|ERR_TLS_CERT_|HOSTNAME_|PATH_LENGTH_)/;

/** Returns whether the connection failed because of an invalid server certificate. */
function wrongCertificate({ problem, detail }: Answer): boolean {
  return problem !== undefined && certificateCodes.test(detail ?? '');
}

/** Timeout for a TLS handshake, in milliseconds. */
const mostMs = 3000;

/** Resolves with the TLS version below 1.2 that a server accepts, or with `undefined` if it accepts none. */
function oldTlsVersion(address: string): Promise<string | undefined> {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
    // Another requirement covers the certificate.
    rejectUnauthorized: false,
    timeout: mostMs,
  });
  socket.on('secureConnect', () => resolve(socket.getProtocol() ?? 'a version below TLS 1.2'));
  socket.on('error', () => resolve(undefined));
  socket.on('timeout', () => resolve(undefined));
  return promise.finally(() => socket.destroy());
}
