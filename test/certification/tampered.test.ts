/** Certificates that nobody should believe, and what a reader is told about them (OP-196). */
import { expect, it } from 'vitest';
import { BadCertificate, checkCertificate } from '../../sandbox/certification/certificate-check.ts';
import { bank, genuine } from '../harness/certificates/forger.ts';
import { tampered } from '../harness/certificates/tampered-certificates.ts';

const now = Date.UTC(2026, 1, 1);

/** How a certificate reads: as passed or not, or why it is not believed. */
async function reading(text: string): Promise<string> {
  try {
    const { passed, key } = await checkCertificate(text, { now });
    return `${passed ? 'passed' : 'not passed'} under ${key}`;
  } catch (error) {
    if (error instanceof BadCertificate) return error.message;
    throw error;
  }
}

it('OP-196: the genuine certificate reads as passed', async () => {
  expect(await reading(genuine)).toBe(`passed under ${bank.kid}`);
});

it.each(tampered)('OP-196: a certificate with $title is not believed', async ({ text, reason }) => {
  const told = await reading(text);
  if (typeof reason === 'string') expect(told).toBe(reason);
  else expect(told).toMatch(reason);
  expect(told.length).toBeLessThan(600);
});

it('OP-196: the corpus has 40 certificates or more, none of them twice', () => {
  expect(new Set(tampered.map(({ text }) => text)).size).toBeGreaterThan(40);
  expect(new Set(tampered.map(({ title }) => title)).size).toBe(tampered.length);
});
