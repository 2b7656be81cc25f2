/** Tests the output and exit codes of `rewards-sandbox certificate` (OP-196, OP-197). */
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { issueCertificate, jsonReport, privateKey } from '../../sandbox/certification/certificate.ts';
import { tampered } from '../harness/certificates/tampered-certificates.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { reported } from '../harness/reported.ts';

/** Creates a folder with a passed certificate, a failed one, a report, the witness's public key and invalid answers. No file is named `none`. */
async function writeFiles() {
  const folder = await temporaryFolder();
  const write = async (name: string, content: string) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const pair = generateKeyPairSync('ed25519');
  const key = await privateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'witness.pem');
  return {
    passed: await write('passed.jws', await issueCertificate(reported(), { key, witness: 'Rewards platform' })),
    failed: await write('failed.jws', await issueCertificate(reported({ 'CRD-02': 'fail' }), { key })),
    report: await write('report.json', jsonReport(reported())),
    witness: await write('witness.pub.pem', pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    answers: await write('answers.yaml', 'unknown: 1'),
    none: join(folder, 'none'),
  };
}

type Files = Awaited<ReturnType<typeof writeFiles>>;

it('OP-196: verify prints the claims of a certificate, its signer and what it does not prove; exit code 0', async () => {
  const files = await writeFiles();
  const args = ['certificate', 'verify', files.passed, '--report', files.report, '--witness-key', files.witness];
  const { code, stdout, stderr } = await inProcess(args).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Checked (\d+) of \1 mandatory requirements: PASSED: http:\/\/127\.0\.0\.1:8080\n/);
  expect(stdout).toContain('Signed by     "Rewards platform", whose key you gave (witnessed)\n');
  expect(stdout).toContain('This certificate does not prove:\n  - That the server behaves the same at another time');
});

it('OP-197: without a witness for the key, the first line says so, and --require-witness exits with 1', async () => {
  const files = await writeFiles();
  const { code, stdout } = await inProcess(['certificate', 'verify', files.passed]).ended;
  expect(code).toBe(0);
  expect(stdout.split('\n')[0]).toMatch(
    /^Checked (\d+) of \1 mandatory requirements: PASSED, but the signing key is not verified: http:\/\/127\.0\.0\.1:8080$/,
  );
  expect(stdout).toContain(
    '  Signed by     an unverified signer that claims to be "Rewards platform"; verify it with --witness-key\n',
  );
  for (const command of ['verify', 'badge']) {
    const refused = await inProcess(['certificate', command, files.passed, '--require-witness']).ended;
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Invalid certificate: The signing key is not verified. Pass the public key of the witness with --witness-key.\n',
    });
    const signer = ['--witness-key', files.witness, '--require-witness'];
    const witnessed = await inProcess(['certificate', command, files.passed, ...signer]).ended;
    expect({ code: witnessed.code, stderr: witnessed.stderr }).toEqual({ code: 0, stderr: '' });
  }
});

it("OP-196: forged content of a certificate reaches neither the terminal nor the JSON, and another's key is not printed", async () => {
  const file = join(await temporaryFolder(), 'forged.jws');
  for (const [title, ...args] of [
    ["the thumbprint of another's key", 'verify', '--json'],
    ['a thumbprint of many lines', 'verify'],
    ['lines of its own in a name', 'verify'],
    ['markup in its API', 'badge'],
  ]) {
    await writeFile(file, tampered.find((each) => each.title === title)?.text ?? '');
    const { code, stdout, stderr } = await inProcess(['certificate', ...args, file]).ended;
    expect({ title, code, stdout }).toEqual({ title, code: 1, stdout: '' });
    expect(stderr).toMatch(/^Invalid certificate: It(s|) (names the key|header|claims)[^\n]+\n$/);
  }
});

it('OP-196: a failed run is not passed: exit code 1, also as JSON, and its badge says so', async () => {
  const files = await writeFiles();
  const result = await inProcess(['certificate', 'verify', files.failed]).ended;
  expect(result.code).toBe(1);
  expect(result.stdout.split('\n')[0]).toMatch(
    /^Checked (\d+) of \1 mandatory requirements: NOT PASSED \(failed\), and the signing key is not verified: http:\/\/127\.0\.0\.1:8080$/,
  );
  const json = await inProcess(['certificate', 'verify', files.failed, '--json']).ended;
  expect([json.code, JSON.parse(json.stdout).passed, JSON.parse(json.stdout).signer]).toEqual([1, false, 'self-run']);
  const badge = await inProcess(['certificate', 'badge', files.failed]).ended;
  expect([badge.code, /<title>(.*)<\/title>/.exec(badge.stdout)?.[1]]).toEqual([
    1,
    'rewards client v1: not certified (failed)',
  ]);
});

it.each([
  [
    'a file that is none',
    (files: Files) => ['verify', files.report],
    1,
    /^Invalid certificate: It does not consist of three base64url parts\.\n$/,
  ],
  [
    'another report',
    (files: Files) => ['verify', files.failed, '--report', files.report],
    1,
    /^Invalid certificate: It was issued for another/,
  ],
  ['a file that is not there', (files: Files) => ['verify', files.none], 3, /^Cannot read .*: ENOENT\.\n$/],
  [
    'a key that is none',
    (files: Files) => ['verify', files.passed, '--witness-key', files.report],
    3,
    /does not contain a public Ed25519 key/,
  ],
  [
    'answers with two errors',
    (files: Files) => ['verify', files.passed, '--answers', files.answers],
    2,
    /^\S+answers\.yaml:1:1: .+\n\S+answers\.yaml:1:1: .+\n$/,
  ],
  ['no file at all', () => ['verify'], 2, /missing required argument/],
  ['an unknown command', (files: Files) => ['sign', files.passed], 2, /unknown command/],
])('OP-196: %s: exit code and a message', async (_, args, code, line) => {
  const ended = await inProcess(['certificate', ...args(await writeFiles())]).ended;
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' });
  expect(ended.stderr).toMatch(line);
});
