import { hkdfSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { PSKCallbackNegotation } from 'node:tls';
import type { CallOrigin } from '../contract/api.ts';

/**
 * What instances say to each other (OP-208). Both ends of a connection prove that they have the key that all instances are
 * given, before anything is sent: TLS with a pre-shared key, and a fresh agreement for each connection.
 */
const tls = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers: 'ECDHE-PSK-CHACHA20-POLY1305' } as const;
const identity = 'rewards-sandbox';

/** A key for connections, derived from the key of the data: neither reveals the other. */
function pskOf(key: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'rewards-sandbox instances', 32));
}

/** How an instance takes connections of others. */
export function takingTls(key: Uint8Array) {
  const psk = pskOf(key);
  return { ...tls, pskCallback: (_socket: unknown, named: string) => (named === identity ? psk : null) };
}

/** How connections between instances are encrypted. */
export type InstanceTls = ReturnType<typeof takingTls>;

/** How an instance makes them. */
export function makingTls(key: Uint8Array) {
  const psk = pskOf(key);
  const pskCallback = (): PSKCallbackNegotation => ({ psk, identity });
  // There is no certificate that a name could be in.
  return { ...tls, pskCallback, checkServerIdentity: () => undefined };
}

/** The data that accompanies a forwarded call. */
export interface Envelope {
  /** The workspace that the call is for. */
  readonly workspace: string;
  /** Where it came from, as the instance checked it that was called. */
  readonly origin: CallOrigin;
}

/** Carries the envelope. Only what comes over a connection between instances has one that counts. */
export const envelopeHeader = 'x-sandbox-envelope';
/** Marks the refusal of an instance that does not have the workspace: nothing was done. */
export const notHereHeader = 'x-sandbox-not-here';

export function sealEnvelope(envelope: Envelope): string {
  return Buffer.from(JSON.stringify(envelope)).toString('base64url');
}

/** Takes the envelope off a call; undefined if it has none that can be read. */
export function takeEnvelope(request: IncomingMessage): Envelope | undefined {
  const text = request.headers[envelopeHeader];
  delete request.headers[envelopeHeader];
  request.rawHeaders = withoutHeaders(request.rawHeaders, [envelopeHeader]);
  try {
    return typeof text === 'string' ? JSON.parse(Buffer.from(text, 'base64url').toString()) : undefined;
  } catch {
    return undefined;
  }
}

/** Headers in their raw form, without some; names in lower case. */
export function withoutHeaders(raw: readonly string[], names: readonly string[]): string[] {
  return raw.filter((_, at) => !names.includes((raw[at - (at % 2)] ?? '').toLowerCase()));
}

/** The two parts of the address of an instance. */
export function hostAndPortOf(address: string): readonly [string, number] {
  const at = address.lastIndexOf(':');
  return [address.slice(0, at).replace(/^\[|\]$/g, ''), Number(address.slice(at + 1))];
}
