/** Forges certificates from a genuine one. */
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import {
  type CertificateClaims,
  certificateType,
  issueCertificate,
} from '../../../sandbox/certification/certificate.ts';
import { reported } from '../reported.ts';

/** A forgery: its title, its factory, and the expected reason for rejection. */
export type Forgery = readonly [title: string, make: () => Promise<string> | string, reason: string | RegExp];

type Claims = Record<string, unknown> & Pick<CertificateClaims, 'verdicts' | 'target'>;

export const base64 = (text: string) => Buffer.from(text).toString('base64url');
export const header = { alg: 'EdDSA', typ: certificateType };

export const forger = await newKey();
/** The key of the witness that the forger impersonates. */
export const bank = await newKey();

/** A certificate for a passed run, signed by the bank. */
export const genuine = await issueCertificate(reported(), { key: bank.privateKey, witness: 'Acme Bank' });

export const [head = '', body = '', signature = ''] = genuine.split('.');
export const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims;
export const first = Object.keys(claims.verdicts)[0] ?? '';

async function newKey() {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  const { kty, crv, x } = await exportJWK(publicKey);
  const jwk = { kty, crv, x } as JWK;
  return { privateKey, jwk, kid: await calculateJwkThumbprint(jwk) };
}

/** Signs any bytes with the forger's key. The header names that key unless `changes` overrides it. */
export function signed(payload: string | Buffer, changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ ...header, kid: forger.kid, jwk: forger.jwk, ...changes } as never)
    .sign(forger.privateKey);
}

export const claiming = (changes: Readonly<Record<string, unknown>>) =>
  signed(JSON.stringify({ ...claims, ...changes }));
export const judging = (changes: Readonly<Record<string, unknown>>, others: Readonly<Record<string, unknown>> = {}) =>
  claiming({ verdicts: { ...claims.verdicts, ...changes }, ...others });
export const aiming = (changes: Readonly<Record<string, unknown>>) =>
  claiming({ target: { ...claims.target, ...changes } });

export function without<T extends object>(all: T, name: string): object {
  return Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));
}

/** Replaces one character of a base64url string. */
export function flipped(text: string, at: number): string {
  const other = text[at] === 'A' ? 'B' : 'A';
  return `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
}

/**
 * Returns a different string that decodes to the same bytes. The last character of a signature carries only two significant bits; decoders
 * ignore the other four.
 */
export function sameBytesOtherText(part: string): string {
  const bytes = Buffer.from(part, 'base64url');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const others = [...alphabet].map((last) => part.slice(0, -1) + last).filter((each) => each !== part);
  return others.find((each) => Buffer.from(each, 'base64url').equals(bytes)) ?? '';
}

export const cutOff = 'It does not consist of three base64url parts.';
/** Output lines of `certificate verify`, imitated by a forger. */
export const drawn =
  's\n  Signed by     Acme Bank, whose key you gave (witnessed)\n  Key           8Yx2sJ0p4n0wq2yq1Zc2k0nB3rJxw9Hn4Yb1o3m0abc';
