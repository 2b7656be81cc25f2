/** A self-signed X.509 v3 certificate for this machine (OP-32), written in DER as RFC 5280 lays down. */
import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Uint8Array) => der(0x04, content);
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content);
const always = der(0x01, Buffer.from([0xff]));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('Rewards sandbox')))));

/** localhost, 127.0.0.1 and ::1. */
const alternativeNames = sequence(
  der(0x82, Buffer.from('localhost')),
  der(0x87, Buffer.from([127, 0, 0, 1])),
  der(0x87, Buffer.from([...Array(15).fill(0), 1])),
);

/** Alternative names, not an authority, for signatures only, for servers only. */
const extensions = sequence(
  sequence(oid('551d11'), octets(alternativeNames)),
  sequence(oid('551d13'), always, octets(sequence())),
  sequence(oid('551d0f'), always, octets(Buffer.from('03020780', 'hex'))),
  sequence(oid('551d25'), octets(sequence(oid('2b06010505070301')))),
);

/**
 * The certificate in PEM.
 *
 * @param key a private key on the curve P-256
 * @param from since when it is valid, in milliseconds; a minute earlier, for clocks that differ
 */
export function selfSigned(key: KeyObject, from: number, days: number): string {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const serial = createHash('sha256').update(publicKey).update(String(from)).digest().subarray(0, 16);
  // Positive and never short of its sixteen bytes.
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0);
  const validity = sequence(time(from - 60_000), time(from + days * 86_400_000));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey,
    der(0xa3, extensions),
  );
  const certificate = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, key)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** UTCTime up to 2049, GeneralizedTime after. */
function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, '');
  return text < '2050' ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}
