/** Tests certificates that partners submit, their signers, and the keys that the operator trusts (OP-262, OP-263). */
import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { issueCertificate, ownSigningKey, privateKey } from '../../sandbox/certification/certificate.ts';
import type { Report } from '../../sandbox/certification/verdict.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { reported } from '../harness/reported.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { workspaceOf } from '../harness/workspaces.ts';
import { awaitCertification, startCertification } from './certifying.ts';

const now = Date.UTC(2026, 10, 28, 12);

/** Creates a key pair with a private key for signing and a public key to trust. */
async function newKey() {
  const { privateKey: secret, publicKey } = generateKeyPairSync('ed25519');
  const pem = secret.export({ type: 'pkcs8', format: 'pem' }).toString();
  const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { key: await privateKey(pem, 'key.pem'), pem, public_key };
}

type Key = Awaited<ReturnType<typeof newKey>>;

/** Issues a certificate for a run that ended at this instant. */
function certificateBy({ key }: Pick<Key, 'key'>, finished_at: string, words = {}, changes: Partial<Report> = {}) {
  return issueCertificate(reported(words, { finished_at, ...changes }), { key });
}

async function boardSandbox(options: Parameters<typeof testSandbox>[0] = { realTime: () => now }) {
  const sandbox = await testSandbox(options);
  const partner = await workspaceOf(sandbox, { name: 'Meadow Bank' });
  const submit = async (certificate: string) => {
    const { data, error, response } = await partner.control.POST('/certificates', { body: { certificate } });
    return { status: response.status, body: data ?? error };
  };
  const shown = async () => ok(await sandbox.control.GET('/partners')).items[1]?.certification;
  return { sandbox, partner, submit, shown };
}

const trust = ({ control }: TestSandbox, ...items: { name: string; public_key: string }[]) =>
  control.PUT('/trusted-keys', { body: { items } });

/** The issue date of the certificate below: one day ago. */
const yesterday = '2026-11-27T12:00:00.000Z';
const passed = {
  id: 'CER-000001',
  source: 'submitted',
  client_url: 'http://127.0.0.1:8080',
  requirements: 'current',
  issued_at: yesterday,
  expires_at: '2027-11-27T12:00:00.000Z',
  expired: false,
  outcome: 'passed',
  open_failures: 0,
  key: expect.stringMatching(/^[\w-]{43}$/),
};

it('OP-262: a certificate by an unknown key is self-signed, and by a key that the operator trusts from then on signed by it', async () => {
  const { sandbox, partner, submit, shown } = await boardSandbox();
  const auditor = await newKey();
  const selfSigned = { ...passed, signer: 'self_signed', key_name: null };
  const certificate = await certificateBy(auditor, yesterday);
  expect(await submit(certificate)).toEqual({ status: 201, body: selfSigned });
  expect(await submit(`${certificate}\n`)).toEqual({ status: 201, body: selfSigned });
  expect(await shown()).toEqual(selfSigned);
  const items = [{ name: 'Auditor', public_key: auditor.public_key }];
  expect(ok(await trust(sandbox, ...items))).toEqual({ items });
  expect(ok(await sandbox.control.GET('/trusted-keys'))).toEqual({ items });
  const trusted = { ...passed, signer: 'trusted_key', key_name: 'Auditor' };
  expect(await shown()).toEqual(trusted);
  expect(ok(await partner.control.GET('/certificates'))).toEqual({ items: [trusted] });
  expect(ok(await partner.control.GET('/partners')).items).toMatchObject([{ certification: trusted }]);
  ok(await sandbox.control.POST('/reset'));
  ok(await partner.control.POST('/reset'));
  expect(await shown()).toEqual(trusted);
  ok(await trust(sandbox));
  expect(await shown()).toEqual(selfSigned);
});

it('OP-262: an expired certificate says so, and a failed one how many mandatory requirements failed', async () => {
  const { submit, shown } = await boardSandbox();
  const key = await newKey();
  const old = await certificateBy(key, '2025-11-28T11:59:59.000Z');
  expect(old.length).toBeLessThan(24_000);
  await submit(old);
  expect(await shown()).toMatchObject({ expired: true, expires_at: '2026-11-28T11:59:59.000Z', outcome: 'passed' });
  await submit(await certificateBy(key, yesterday, { 'CRD-02': 'fail', 'CRD-03': 'fail' }));
  expect(await shown()).toMatchObject({ id: 'CER-000002', expired: false, outcome: 'failed', open_failures: 2 });
});

it('OP-262: a forged, an impossible and a certificate of another edition get 400 with the reason, and nothing changes', async () => {
  const { partner, submit, shown } = await boardSandbox();
  const key = await newKey();
  const [head, payload = '', signature] = (await certificateBy(key, yesterday, { 'CRD-02': 'fail' })).split('.');
  const changed = Buffer.from(payload, 'base64url').toString().replace('"fail"', '"pass"');
  const forged = [head, Buffer.from(changed).toString('base64url'), signature].join('.');
  const refused: [string, RegExp][] = [
    [forged, /is not valid\. It was modified after it was signed\.$/],
    ['certificate', /is not valid\. It does not consist of three base64url parts\.$/],
    [await certificateBy(key, '2026-12-01T00:00:00.000Z'), /is not valid\. Its issue date is in the future\.$/],
    [
      await certificateBy(key, yesterday, {}, { requirements: '9.9' }),
      /is not valid\. Unknown edition 9\.9\. Available: current\.$/,
    ],
    [
      await certificateBy(key, yesterday, {}, { requirements_digest: 'a'.repeat(64), suite: '0.0.9' }),
      /is not valid\. Its requirements differ from edition current in this version\. Verify it with rewards-sandbox 0\.0\.9/,
    ],
  ];
  for (const [certificate, reason] of refused) {
    const { status, body } = await submit(certificate);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 53 } });
    expect((body as { message: string }).message).toMatch(reason);
  }
  expect((await submit('x'.repeat(49_153))).status).toBe(400);
  expect(ok(await partner.control.GET('/certificates'))).toEqual({ items: [] });
  expect(await shown()).toBeNull();
});

it('OP-257: the checklist counts a certificate of the server in use, if its key is trusted and it has not expired', async () => {
  const { sandbox, partner, submit } = await boardSandbox();
  const [auditor, own] = [await newKey(), await newKey()];
  ok(await trust(sandbox, { name: 'Auditor', public_key: auditor.public_key }));
  const { client_url } = passed;
  ok(await partner.control.PATCH('/workspace', { body: { settings: { client_url } } }));
  const evidence = async () => {
    const { items } = ok(await partner.control.GET('/checklist'));
    return ['certified', 'once'].map((id) => items.find((item) => item.id === id)?.evidence);
  };
  const none = `No certification of ${client_url} has ended.`;
  const nothing = [`${none} Start one on the page *Your server*.`, none];
  await submit(await certificateBy(own, yesterday));
  await submit(await certificateBy(auditor, '2025-11-28T11:59:59.000Z'));
  const target = { ...reported().target, client_url: 'http://127.0.0.1:8081' };
  await submit(await certificateBy(auditor, yesterday, {}, { target }));
  expect(await evidence()).toEqual(nothing);
  await submit(await certificateBy(auditor, '2026-11-26T12:00:00.000Z', { 'DED-03': 'fail' }));
  expect(await evidence()).toEqual([
    'CER-000004, which ended at 2026-11-26T12:00:00.000Z, ended as failed.',
    'In CER-000004: DED-03 fail.',
  ]);
  await submit(await certificateBy(auditor, yesterday));
  expect(await evidence()).toEqual([
    `CER-000005, which ended at ${yesterday}, passed.`,
    'CRD-02, CRD-03, DED-02, DED-03 passed in CER-000005.',
  ]);
});

it('OP-262: the newest one that is vouched for counts, also if a self-signed one is newer', async () => {
  const { sandbox, submit, shown } = await boardSandbox();
  const [auditor, own] = [await newKey(), await newKey()];
  ok(await trust(sandbox, { name: 'Auditor', public_key: auditor.public_key }));
  await submit(await certificateBy(own, '2026-11-28T10:00:00.000Z'));
  expect(await shown()).toMatchObject({ id: 'CER-000001', signer: 'self_signed' });
  await submit(await certificateBy(auditor, yesterday, { 'CRD-02': 'fail' }));
  expect(await shown()).toMatchObject({ id: 'CER-000002', signer: 'trusted_key', outcome: 'failed' });
  await submit(await certificateBy(auditor, '2026-11-20T12:00:00.000Z'));
  expect(await shown()).toMatchObject({ id: 'CER-000002' });
});

it('OP-262: a workspace keeps the newest 20', async () => {
  const { partner, submit } = await boardSandbox();
  const key = await newKey();
  for (let number = 1; number <= 21; number += 1)
    await submit(await certificateBy(key, `2026-11-01T00:00:${String(number).padStart(2, '0')}.000Z`));
  const { items } = ok(await partner.control.GET('/certificates'));
  expect([items.length, items[0]?.id, items.at(-1)?.id]).toEqual([20, 'CER-000021', 'CER-000002']);
});

it('OP-262: a run yields a certificate by the key of the sandbox, which counts as witnessed here wherever it is submitted', async () => {
  const dataDir = await temporaryFolder();
  const { sandbox, partner, submit, shown } = await boardSandbox({ dataDir });
  const only = ['CRD-01'];
  const id = await startCertification(sandbox, { customers: ['CUST0001'], only });
  const { certificate = '', report } = await awaitCertification(sandbox, id);
  const { items } = ok(await sandbox.control.GET('/partners'));
  expect(items[0]?.certification).toMatchObject({
    id,
    source: 'run',
    outcome: 'partial',
    signer: 'witnessed_here',
    key_name: null,
    key: null,
    open_failures: 0,
  });
  expect(await submit(certificate)).toMatchObject({
    status: 201,
    body: { source: 'submitted', outcome: 'partial', signer: 'witnessed_here', key_name: null },
  });
  expect(await shown()).toMatchObject({ id: 'CER-000001', signer: 'witnessed_here' });
  expect(await submit(await certificateBy({ key: await ownSigningKey(dataDir) }, yesterday))).toMatchObject({
    body: { signer: 'witnessed_here', outcome: 'passed' },
  });
  expect(ok(await partner.control.GET('/certificates')).items).toHaveLength(2);
  const [file, reportFile] = [join(dataDir, 'certificate.jws'), join(dataDir, 'report.json')];
  await writeFile(file, certificate);
  await writeFile(reportFile, `${JSON.stringify(report, null, 2)}\n`);
  const verified = await inProcess(['certificate', 'verify', file, '--report', reportFile]).ended;
  expect([verified.code, verified.stderr]).toEqual([1, '']);
  expect(verified.stdout).toMatch(/: NOT PASSED \(partial\)/);
}, 120_000);

it('OP-263: `certificate verify --trusted` names the key of the list that signed it', async () => {
  const { sandbox } = await boardSandbox();
  const [auditor, other, folder] = [await newKey(), await newKey(), await temporaryFolder()];
  ok(await trust(sandbox, { name: 'Auditor', public_key: auditor.public_key }));
  const [list, file, self] = ['trusted.json', 'one.jws', 'self.jws'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(list, JSON.stringify(ok(await sandbox.control.GET('/trusted-keys'))));
  await writeFile(file, await certificateBy(auditor, '2026-01-12T04:30:12.000Z'));
  await writeFile(self, await certificateBy(other, '2026-01-12T04:30:12.000Z'));
  const one = await inProcess(['certificate', 'verify', file, '--trusted', list]).ended;
  expect([one.code, one.stderr]).toEqual([0, '']);
  expect(one.stdout).toMatch(/: PASSED: http/);
  expect(one.stdout).toContain('  Signed by     the sandbox that ran it (self-run)\n  Trusted key   "Auditor"\n');
  const unknown = await inProcess(['certificate', 'verify', self, '--trusted', list]).ended;
  expect(unknown.stdout).toMatch(/: PASSED, but the signing key is not verified: http/);
  await writeFile(list, '{"items":[{"name":"Auditor","public_key":"none"}]}');
  const broken = await inProcess(['certificate', 'verify', self, '--trusted', list]).ended;
  expect(broken).toMatchObject({ code: 3, stdout: '' });
  expect(broken.stderr).toBe(
    `${list} is not a list of trusted keys: /items/0/public_key is not the PEM of an Ed25519 public key (openssl pkey -in key.pem -pubout).\n`,
  );
});

it('OP-263: a list with a mistake is refused as a whole', async () => {
  const { sandbox } = await boardSandbox();
  const [one, other] = [await newKey(), await newKey()];
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const of = (name: string, public_key: string) => ({ name, public_key });
  ok(await trust(sandbox, of('One', one.public_key)));
  const refused: [ReturnType<typeof of>[], string][] = [
    [[of('A', 'none')], '/items/0/public_key is not the PEM of an Ed25519 public key'],
    [
      [of('A', rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString())],
      '/items/0/public_key is not the PEM of an Ed25519 public key',
    ],
    [[of('A', one.pem)], '/items/0/public_key is a private key'],
    [[of('A', one.public_key), of('B', one.public_key)], '/items/1/public_key is the key of A already'],
    [[of('A', one.public_key), of('A', other.public_key)], '/items/1/name occurs twice'],
    [[of('two\nlines', other.public_key)], '/items/0/name'],
  ];
  for (const [items, problem] of refused) {
    const { error, response } = await trust(sandbox, ...items);
    expect([response.status, JSON.stringify(error)]).toEqual([400, expect.stringContaining(problem)]);
  }
  expect(ok(await sandbox.control.GET('/trusted-keys')).items.map(({ name }) => name)).toEqual(['One']);
});

it('OP-263: nobody but the operator sees or changes the list', async () => {
  const { sandbox, partner } = await boardSandbox();
  const { public_key } = await newKey();
  const items = [{ name: 'Myself', public_key }];
  expect((await partner.control.GET('/trusted-keys')).response.status).toBe(404);
  expect((await partner.control.PUT('/trusted-keys', { body: { items } })).response.status).toBe(404);
  expect(ok(await sandbox.control.GET('/trusted-keys'))).toEqual({ items: [] });
});

it('OP-262: instances with one data key sign with the same key, and it is no file', async () => {
  const { sandboxSigningKey } = await import('../../sandbox/certification/certificate.ts');
  const { thumbprintOf } = await import('../../sandbox/certification/trusted-keys.ts');
  const of = async (byte: number) =>
    thumbprintOf(await sandboxSigningKey({ store: 'postgres://x', key: Buffer.alloc(32, byte) }));
  expect(await of(1)).toBe(await of(1));
  expect(await of(1)).not.toBe(await of(2));
  const folder = await temporaryFolder();
  const one = await thumbprintOf(await sandboxSigningKey({ dataDir: folder }));
  expect(await thumbprintOf(await sandboxSigningKey({ dataDir: folder }))).toBe(one);
  expect(await readFile(join(folder, 'certificate-key.pem'), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
});
