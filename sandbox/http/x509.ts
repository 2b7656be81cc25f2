/** Creates self-signed X.509 v3 certificates for this machine (OP-32). */
import { createHash, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import * as x509 from '@peculiar/asn1-x509';

const ecdsaWithSha256 = new x509.AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' });
const commonName = { type: '2.5.4.3', value: new x509.AttributeValue({ utf8String: 'Rewards sandbox' }) };
const name = new x509.Name([new x509.RelativeDistinguishedName([new x509.AttributeTypeAndValue(commonName)])]);

const alternativeNames = new x509.SubjectAlternativeName([
  new x509.GeneralName({ dNSName: 'localhost' }),
  new x509.GeneralName({ iPAddress: '127.0.0.1' }),
  new x509.GeneralName({ iPAddress: '::1' }),
]);

/** Alternative names, and restrictions: not an authority, for signatures only, and for servers only. */
const extensions = new x509.Extensions([
  extension(x509.id_ce_subjectAltName, alternativeNames, false),
  extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(), true),
  extension(x509.id_ce_keyUsage, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature), true),
  extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth]), false),
]);

function extension(extnID: string, value: object, critical: boolean): x509.Extension {
  return new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/**
 * Returns a self-signed certificate in PEM.
 *
 * @param key a private key on the curve P-256
 * @param from start of validity in milliseconds; the certificate starts a minute earlier, because clocks differ
 */
export function selfSigned(key: KeyObject, from: number, days: number): string {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const serial = createHash('sha256').update(publicKey).update(String(from)).digest().subarray(0, 16);
  // A positive number that always needs all sixteen bytes.
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0);
  const body = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: Uint8Array.from(serial).buffer,
    signature: ecdsaWithSha256,
    issuer: name,
    validity: new x509.Validity({
      notBefore: new Date(from - 60_000),
      notAfter: new Date(from + days * 86_400_000),
    }),
    subject: name,
    subjectPublicKeyInfo: AsnConvert.parse(publicKey, x509.SubjectPublicKeyInfo),
    extensions,
  });
  const certificate = new x509.Certificate({
    tbsCertificate: body,
    signatureAlgorithm: ecdsaWithSha256,
    signatureValue: Uint8Array.from(sign('sha256', Buffer.from(AsnConvert.serialize(body)), key)).buffer,
  });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString();
}
