import { hkdfSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { PSKCallbackNegotation } from 'node:tls';
import type { CallOrigin } from '../contract/api.ts';
import { attempt } from '../store/attempt.ts';

/**
 * The TLS settings between instances (OP-208). Both ends prove that they have the shared key before anything is sent.
 * They use a pre-shared key, and a fresh key agreement for each connection.
 */
const tls = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers: 'ECDHE-PSK-CHACHA20-POLY1305' } as const;
const identity = 'rewards-sandbox';

/** Derives the key for connections from the key of the data, which it does not reveal. */
function pskOf(key: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'rewards-sandbox instances', 32));
}

/** Returns the TLS options for accepting connections from other instances. */
export function takingTls(key: Uint8Array) {
  const psk = pskOf(key);
  return { ...tls, pskCallback: (_socket: unknown, named: string) => (named === identity ? psk : null) };
}

/** The TLS options of a server for other instances. */
export type InstanceTls = ReturnType<typeof takingTls>;

/** Returns the TLS options for connecting to other instances. */
export function makingTls(key: Uint8Array) {
  const psk = pskOf(key);
  const pskCallback = (): PSKCallbackNegotation => ({ psk, identity });
  // There is no certificate, so there is no host name to check.
  return { ...tls, pskCallback, checkServerIdentity: () => undefined };
}

/** The data that accompanies a forwarded call. */
export interface Envelope {
  /** The id of the workspace that the call is for. */
  readonly workspace: string;
  /** The origin of the call, as checked by the instance that received it. */
  readonly origin: CallOrigin;
}

/** The header with the envelope. It is valid only on a connection between instances. */
export const envelopeHeader = 'x-sandbox-envelope';
/** The header that marks a refusal by an instance that does not own the workspace. Nothing was done. */
export const notHereHeader = 'x-sandbox-not-here';

export function sealEnvelope(envelope: Envelope): string {
  return Buffer.from(JSON.stringify(envelope)).toString('base64url');
}

/** Removes the envelope from a call and returns it. Returns undefined if the call has no readable envelope. */
export function takeEnvelope(request: IncomingMessage): Envelope | undefined {
  const text = request.headers[envelopeHeader];
  delete request.headers[envelopeHeader];
  request.rawHeaders = withoutHeaders(request.rawHeaders, [envelopeHeader]);
  return typeof text === 'string' ? attempt(() => JSON.parse(Buffer.from(text, 'base64url').toString())) : undefined;
}

/** Returns raw headers without the named ones. Names must be in lower case. */
export function withoutHeaders(raw: readonly string[], names: readonly string[]): string[] {
  return raw.filter((_, at) => !names.includes((raw[at - (at % 2)] ?? '').toLowerCase()));
}

/** Splits the address of an instance into host and port. */
export function hostAndPortOf(address: string): readonly [string, number] {
  const at = address.lastIndexOf(':');
  return [address.slice(0, at).replace(/^\[|\]$/g, ''), Number(address.slice(at + 1))];
}
