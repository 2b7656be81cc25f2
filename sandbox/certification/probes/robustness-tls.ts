/** Probes of TLS, where the address is https. */

import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Answer } from '../answer.ts';
import { failWith } from '../assertions.ts';
import type { Probe } from '../probe-context.ts';
import { Blocked } from '../verdict.ts';
import { readAccount } from './robustness-booking.ts';

/** The requirement that the certificate is valid: without it no call is made. */
export const validChain = 'ROB-20';

/** Codes of what is wrong with a certificate or its chain. */
const certificateCodes = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|ERR_TLS_CERT_|HOSTNAME_|PATH_LENGTH_)/;

export const robustnessTlsProbes = {
  'ROB-19': async (probing) => {
    const answer = await readAccount(probing);
    const old = await oldTlsVersion(probing.input.client_url);
    if (old !== undefined) failWith(`The server accepts ${old}.`, '', 'TLS 1.2 or later', old, [answer]);
  },
  'ROB-20': async (probing) => {
    const answer = await readAccount(probing);
    if (wrongCertificate(answer))
      failWith(`The certificate is not valid: ${answer.detail}.`, '', 'a valid chain', String(answer.detail), [answer]);
    if (answer.status === undefined) throw new Blocked('ROB-01', `No response: ${answer.detail}.`);
  },
} satisfies Record<string, Probe>;

/** Whether no connection was made, as the certificate of the server is not valid. */
export function wrongCertificate({ problem, detail }: Answer): boolean {
  return problem !== undefined && certificateCodes.test(detail ?? '');
}

/** Milliseconds for one handshake. */
const mostMs = 3000;

/** A version below 1.2 that the server at an https address agrees on; undefined where there is none. */
export function oldTlsVersion(address: string): Promise<string | undefined> {
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
    // Whose certificate it is, is another question.
    rejectUnauthorized: false,
    timeout: mostMs,
  });
  socket.on('secureConnect', () => resolve(socket.getProtocol() ?? 'a version below TLS 1.2'));
  socket.on('error', () => resolve(undefined));
  socket.on('timeout', () => resolve(undefined));
  return promise.finally(() => socket.destroy());
}
