import { buildConnector } from 'undici';
import { certify } from '../../sandbox/certification/certify.ts';
import type { CertifyParts } from '../../sandbox/certification/run-plan.ts';
import type { Input, Report } from '../../sandbox/certification/verdict.ts';
import { Checker } from '../../sandbox/conformance/checker.ts';
import { ownContracts } from '../../sandbox/conformance/contracts.ts';
import { delayBy, realTimer } from '../../sandbox/runtime/clock.ts';

/** The checker, created once per test file. */
const checker = new Checker(ownContracts());
let runs = 0;

/** Certifies a server the way the command does, but without reading files or printing. */
export function runCertification(input: Input, parts: Partial<CertifyParts> = {}): Promise<Report> {
  runs += 1;
  return certify({
    input,
    version: '0.0.0-test',
    contractsDigest: '0'.repeat(64),
    checker,
    now: () => Date.UTC(2026, 0, 12),
    delay: delayBy(realTimer),
    connect: buildConnector({ timeout: 3000 }),
    unique: `T${process.pid}-${runs}`,
    readCode: () => Promise.reject(new Error('this run reads no code')),
    startPlatform: () => Promise.reject(new Error('this run starts no platform')),
    signal: new AbortController().signal,
    ...parts,
  });
}

/** Returns the verdicts, keyed by requirement. */
export function words({ verdicts }: Report): Record<string, string> {
  return Object.fromEntries(verdicts.map(({ id, verdict }) => [id, verdict]));
}
