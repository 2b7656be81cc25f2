/** Tests how answers to open points change the result of a certification, and how its certificate records them (OP-251). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import { issueCertificate } from '../../sandbox/certification/certificate.ts';
import { checkCertificate } from '../../sandbox/certification/certificate-check.ts';
import type { Report } from '../../sandbox/certification/verdict.ts';
import type { Answers } from '../../sandbox/conformance/answers.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { partner } from './judged.ts';

const told = { by: 'Jane Doe', date: '2026-11-28' };

/** Runs the command against a server that answers a credit with an empty object. */
async function certify(answers?: Answers['answers'], text = JSON.stringify({ answers })) {
  const { url, settings } = await partner({ mistake: 'credit-done-empty' });
  const file = join(await temporaryFolder(), 'answers.yaml');
  await writeFile(file, text);
  const server = ['--client-url', url, '--service-token', settings.serviceToken, '--customer', 'CUST0001'];
  const flags = [...server, '--api', 'v1', '--only', 'SHP-08,SHP-01', '--allow-partial', '--json'];
  const given = answers === undefined ? [] : ['--answers', file];
  const { code, stdout } = await inProcess(['certify', ...flags, ...given]).ended;
  const report = JSON.parse(stdout) as Report;
  const verdict = report.verdicts.find(({ id }) => id === 'SHP-08');
  return { code, report, shown: [verdict?.level, verdict?.verdict, verdict?.answer, verdict?.reason] };
}

it('OP-251: a requirement of an agreed point is mandatory, and one of a point that differs does not apply', async () => {
  const without = await certify();
  expect([without.code, ...without.shown]).toEqual([0, 'should', 'fail', undefined, null]);
  expect(without.report).not.toHaveProperty('answers_digest');
  const agreed = await certify({ 'OP-16': { answer: 'agreed', ...told } });
  expect([agreed.code, ...agreed.shown]).toEqual([1, 'must', 'fail', 'agreed on 2026-11-28 by Jane Doe', null]);
  const differs = await certify({ 'OP-16': { answer: 'differs', ...told, text: 'Any body is fine.' } });
  const answer = 'answered otherwise on 2026-11-28 by Jane Doe: Any body is fine.';
  const reason = `The open point OP-16 was ${answer}.`;
  expect([differs.code, ...differs.shown]).toEqual([0, 'should', 'not_applicable', answer, reason]);
});

it('OP-251: a certificate names the hash of the answers, which is the same however the file is written', async () => {
  const answers = { 'OP-16': { answer: 'agreed', ...told } } as const;
  const { report } = await certify(answers);
  expect(report.answers_digest).toMatch(/^[0-9a-f]{64}$/);
  const yaml = 'answers: { OP-16: { date: 2026-11-28, by: Jane Doe, answer: agreed } }';
  expect((await certify(answers, yaml)).report.answers_digest).toBe(report.answers_digest);
  const { privateKey: key } = await generateKeyPair('EdDSA', { extractable: true });
  const certificate = await issueCertificate(report, { key });
  const { claims } = await checkCertificate(certificate, { now: Date.parse(report.finished_at) });
  expect(claims.answers_digest).toBe(report.answers_digest);
  const folder = await temporaryFolder();
  const [file, given] = [join(folder, 'certificate.jws'), join(folder, 'answers.yaml')];
  await writeFile(file, certificate);
  const verify = async (text: string) => {
    await writeFile(given, text);
    return (await inProcess(['certificate', 'verify', file, '--answers', given]).ended).stderr.replace(given, 'given');
  };
  expect(await verify(yaml)).toBe('');
  const others = 'Invalid certificate: It was issued with other answers to open points.\n';
  expect(await verify('answers: {}')).toBe(others);
  expect(await verify(yaml.replace('OP-16', 'OP-08'))).toBe(others);
  expect(await verify(yaml.replace('OP-16', 'OP-250'))).toContain('given:1:12: answers.OP-250 is not an open point');
  // Without the digest of the answers, an open point's requirements cannot be mandatory.
  const { answers_digest: _, ...unnamed } = report;
  const other = checkCertificate(await issueCertificate(unnamed, { key }), { now: Date.parse(report.finished_at) });
  await expect(other).rejects.toThrow('requirements of its edition are missing');
});
