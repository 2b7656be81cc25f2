/** Certificates with an invalid key, header or encoding. */
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { certificateType } from '../../../sandbox/certification/certificate.ts';
import {
  bank,
  base64,
  body,
  claims,
  cutOff,
  drawn,
  type Forgery,
  flipped,
  forger,
  genuine,
  head,
  header,
  sameBytesOtherText,
  signature,
  signed,
} from './forger.ts';

const changed = 'It was modified after it was signed.';
const badHeader = (place: string) => new RegExp(`^Its header is malformed: ${place}`);

export const forgedKeys: readonly Forgery[] = [
  ["the thumbprint of another's key", () => signed(JSON.stringify(claims), { kid: bank.kid }), /^It names the key /],
  [
    "another's key, which did not sign it",
    () => signed(JSON.stringify(claims), { kid: bank.kid, jwk: bank.jwk }),
    changed,
  ],
  ['a thumbprint of many lines', () => signed(JSON.stringify(claims), { kid: drawn }), badHeader('/kid')],
  ['no thumbprint', () => signed(JSON.stringify(claims), { kid: undefined }), badHeader('/kid')],
  ['no key', () => signed(JSON.stringify(claims), { jwk: undefined }), badHeader('/jwk')],
  [
    'a private key in its header',
    async () => signed(JSON.stringify(claims), { jwk: await exportJWK(forger.privateKey) }),
    badHeader('/jwk/d'),
  ],
  [
    'a key in another spelling, which has another thumbprint',
    async () => {
      const jwk = { ...forger.jwk, x: sameBytesOtherText(forger.jwk.x ?? '') };
      return signed(JSON.stringify(claims), { jwk, kid: await calculateJwkThumbprint(jwk) });
    },
    badHeader('/jwk/x'),
  ],
  ['a time of expiry in its header', () => signed(JSON.stringify(claims), { exp: 1_700_000_000 }), badHeader('/exp')],
  ['another type', () => signed(JSON.stringify(claims), { typ: 'JWT' }), badHeader('/typ')],
];

export const brokenParts: readonly Forgery[] = [
  ['nothing', () => '', cutOff],
  ['JSON instead of a certificate', () => JSON.stringify(claims), cutOff],
  ['no signature', () => `${head}.${body}.`, cutOff],
  ['no claims', () => `${head}..${signature}`, cutOff],
  ['two parts', () => `${head}.${body}`, cutOff],
  ['a fourth part', () => `${genuine}.${signature}`, cutOff],
  ['blanks within it', () => `${head}. ${body}.${signature}`, cutOff],
  ['half of its signature', () => `${head}.${body}.${signature.slice(0, 44)}`, changed],
  [
    'half of its claims',
    () => `${head}.${body.slice(0, body.length / 2 - ((body.length / 2) % 4))}.${signature}`,
    changed,
  ],
  ['a bit flipped in its claims', () => `${head}.${flipped(body, 40)}.${signature}`, changed],
  ['a bit flipped in its signature', () => `${head}.${body}.${flipped(signature, 3)}`, changed],
  ['a signature in another spelling', () => `${head}.${body}.${sameBytesOtherText(signature)}`, cutOff],
  ['a header that is not JSON', () => `${flipped(head, 2)}.${body}.${signature}`, 'Its header is not JSON.'],
  [
    'the algorithm none',
    () => `${base64(JSON.stringify({ ...header, alg: 'none', kid: bank.kid, jwk: bank.jwk }))}.${body}.${signature}`,
    badHeader('/alg'),
  ],
  [
    'HS256 under the public key',
    () =>
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'HS256', typ: certificateType, kid: bank.kid, jwk: bank.jwk as never })
        .sign(Buffer.from(bank.jwk.x ?? '', 'base64url')),
    badHeader('/alg'),
  ],
  [
    'ES256',
    async () => {
      const { privateKey, publicKey } = await generateKeyPair('ES256');
      const jwk = await exportJWK(publicKey);
      return new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({
          alg: 'ES256',
          typ: certificateType,
          kid: await calculateJwkThumbprint(jwk),
          jwk: jwk as never,
        })
        .sign(privateKey);
    },
    badHeader('/alg'),
  ],
  ['a megabyte', () => `${head}.${'A'.repeat(1024 * 1024)}.${signature}`, 'The file is too large for a certificate.'],
];
