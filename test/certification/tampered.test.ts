/** Tests certificates that must be rejected, and the reasons that the reader sees (OP-196). */
import { expect, it } from 'vitest';
import { BadCertificate, checkCertificate } from '../../sandbox/certification/certificate-check.ts';
import { bank, genuine } from '../harness/certificates/forger.ts';
import { tampered } from '../harness/certificates/tampered-certificates.ts';

const now = Date.UTC(2026, 1, 1);

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
