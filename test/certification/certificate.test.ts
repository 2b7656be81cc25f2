/** Tests the claims, signers and limits of certificates (OP-196, OP-197). */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeProtectedHeader, generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import {
  issueCertificate,
  jsonReport,
  KeyError,
  NoCertificate,
  notProven,
  ownSigningKey,
  privateKey,
  publicKey,
  publicKeyOf,
} from '../../sandbox/certification/certificate.ts';
import { BadCertificate, checkCertificate } from '../../sandbox/certification/certificate-check.ts';
import { badge } from '../../sandbox/certification/reports/html.ts';
import { bank, genuine } from '../harness/certificates/forger.ts';
import { tampered } from '../harness/certificates/tampered-certificates.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { reported } from '../harness/reported.ts';

const now = Date.UTC(2026, 1, 1);
const newKey = async () => (await generateKeyPair('EdDSA', { extractable: true })).privateKey;

it('OP-196: a certificate states the verdict on each requirement, and what it does not prove', async () => {
  const report = reported();
  const text = await issueCertificate(report, { key: await newKey() });
  const { claims, key, signer, passed } = await checkCertificate(text, { now });
  expect(claims).toEqual({
    coverage: report.coverage,
    issued_at: report.finished_at,
    target: report.target,
    suite: '0.1.0',
    requirements: 'current',
    requirements_digest: report.requirements_digest,
    contracts_digest: report.contracts_digest,
    seed: '1',
    outcome: 'passed',
    verdicts: Object.fromEntries(report.verdicts.map(({ id, level }) => [id, { level, verdict: 'pass' }])),
    report_digest: claims.report_digest,
    witness: null,
    not_proven: notProven,
  });
  expect({ signer, passed }).toEqual({ signer: 'self-run', passed: true });
  expect(decodeProtectedHeader(text)).toMatchObject({ alg: 'EdDSA', typ: 'rewards-certificate+jws', kid: key });
  expect(JSON.stringify(decodeProtectedHeader(text))).not.toContain('"d"');
});

it('OP-196: a certificate belongs to one report: it does not match a report with one changed byte', async () => {
  const report = reported();
  const text = await issueCertificate(report, { key: await newKey() });
  const bytes = Buffer.from(jsonReport(report));
  expect(await checkCertificate(text, { now, report: bytes })).toMatchObject({ passed: true });
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  await expect(checkCertificate(text, { now, report: bytes })).rejects.toThrow('It was issued for another report.');
});

it.each(['fail', 'blocked', 'not_selected'] as const)(
  'OP-196: a certificate with a mandatory requirement that is %s never reads as passed',
  async (word) => {
    const text = await issueCertificate(reported({ 'CRD-02': word }), { key: await newKey() });
    const checked = await checkCertificate(text, { now });
    const { judged, of } = checked.claims.coverage.mandatory;
    const [outcome, why] = word === 'fail' ? ['failed', 'failed'] : ['partial', `partial, ${judged} of ${of}`];
    expect(checked).toMatchObject({ passed: false, claims: { outcome } });
    expect(badge(checked)).toContain(`not certified (${why})`);
  },
);

it.each(['interrupted', 'environment', 'suite_error'] as const)(
  'OP-196: a run with the outcome %s yields no certificate',
  async (outcome) => {
    await expect(issueCertificate(reported({}, { outcome }), { key: await newKey() })).rejects.toThrow(NoCertificate);
  },
);

it('OP-197: a witness counts only if the reader has the key of the witness', async () => {
  const key = await newKey();
  const text = await issueCertificate(reported(), { key, witness: 'Rewards platform' });
  const witnessKey = await publicKeyOf(key);
  const claimed = await checkCertificate(text, { now });
  const witnessed = await checkCertificate(text, { now, witnessKey });
  expect(claimed).toMatchObject({ signer: 'claimed', vouched: false });
  expect(witnessed).toMatchObject({ signer: 'witnessed', vouched: true });
  expect([badge(claimed), badge(witnessed)].map((svg) => /<title>(.*)<\/title>/.exec(svg)?.[1])).toEqual([
    'rewards client v1: self-certified 2026-01-12',
    'rewards client v1: certified 2026-01-12',
  ]);
  const other = { now, witnessKey: await publicKeyOf(await newKey()) };
  await expect(checkCertificate(text, other)).rejects.toThrow('It was not signed with the given key.');
});

it('OP-197: a reader that requires a witness gets no certificate without one', async () => {
  const key = await newKey();
  const witnessKey = await publicKeyOf(key);
  const by = { now, requireWitness: true };
  const own = await issueCertificate(reported(), { key });
  for (const given of [by, { ...by, witnessKey }])
    await expect(checkCertificate(own, given)).rejects.toThrow(
      'It names no witness: it is self-signed by the sandbox that ran it.',
    );
});

it.each([
  ['a seed of two lines', { seed: 'a\nb' }, undefined, '/seed must match'],
  ['an invisible character', { target: { client_url: 'http://a\u200b', api: 'v1' } }, undefined, '/target/client_url'],
  ['a witness of two lines', {}, 'Acme\nBank', '/witness must match'],
] as const)('OP-196: a claim that a reader would refuse is not signed: %s', async (_, changes, witness, reason) => {
  const signing = { key: await newKey(), ...(witness !== undefined && { witness }) };
  const issued = issueCertificate(reported({}, changes), signing);
  await expect(issued).rejects.toThrow(NoCertificate);
  await expect(issued).rejects.toThrow(`No certificate is issued for this run: ${reason}`);
});

it('OP-196: a badge never contains markup from a certificate', async () => {
  const { claims } = await checkCertificate(await issueCertificate(reported(), { key: await newKey() }), { now });
  const [genuine, tags] = [badge({ claims, signer: 'witnessed' }), /<[^>\s]*/g];
  const markup = 'x"></title></text><script>alert(1)</script>';
  const target = { ...claims.target, api: markup as 'v1' };
  for (const outcome of ['passed', markup as 'passed'] as const) {
    const drawn = badge({ claims: { ...claims, target, outcome, issued_at: '<script/>' }, signer: 'witnessed' });
    expect(drawn.match(tags)).toEqual(genuine.match(tags));
  }
});

it('OP-197: a sandbox creates its own key once, readable only by its owner, and keeps it', async () => {
  const folder = await temporaryFolder();
  const [first, second] = await Promise.all([ownSigningKey(folder), ownSigningKey(folder)]);
  const third = await ownSigningKey(folder);
  const publics = await Promise.all([first, second, third].map(publicKeyOf));
  expect(new Set(publics.map(({ x }) => x)).size).toBe(1);
  const file = join(folder, 'certificate-key.pem');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
});

it('OP-197: a key of another kind or an invalid key is refused with the required kind', async () => {
  const { privateKey: rsa, publicKey: open } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = rsa.export({ type: 'pkcs8', format: 'pem' }).toString();
  const message = (why: string) => `op.pem does not contain a private Ed25519 key: ${why}.`;
  await expect(privateKey(pem, 'op.pem')).rejects.toThrow(message('it is a different kind of key'));
  await expect(privateKey('hello', 'op.pem')).rejects.toThrow(message('it is not a PEM key'));
  const spki = open.export({ type: 'spki', format: 'pem' }).toString();
  await expect(publicKey(spki, 'op.pub')).rejects.toThrow(KeyError);
});

/** Checks a certificate and returns the result: passed, not passed, or the reason for its rejection. */
async function readingOf(text: string): Promise<string> {
  try {
    const { passed, key } = await checkCertificate(text, { now });
    return `${passed ? 'passed' : 'not passed'} under ${key}`;
  } catch (error) {
    if (error instanceof BadCertificate) return error.message;
    throw error;
  }
}

it('OP-196: the genuine certificate reads as passed', async () => {
  expect(await readingOf(genuine)).toBe(`passed under ${bank.kid}`);
});

it.each(tampered)('OP-196: a certificate with $title is refused', async ({ text, reason }) => {
  const message = await readingOf(text);
  if (typeof reason === 'string') expect(message).toBe(reason);
  else expect(message).toMatch(reason);
  expect(message.length).toBeLessThan(600);
});

it('OP-196: the corpus has more than 40 certificates, without duplicates', () => {
  expect(new Set(tampered.map(({ text }) => text)).size).toBeGreaterThan(40);
  expect(new Set(tampered.map(({ title }) => title)).size).toBe(tampered.length);
});
