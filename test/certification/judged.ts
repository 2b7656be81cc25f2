/** A partner's server for a test, right or with a mistake, as the suite judges it. */

import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import type { CertifyParts } from '../../sandbox/certification/run-plan.ts';
import { Blocked, type Input, type Report } from '../../sandbox/certification/verdict.ts';
import { delayBy, realTimer } from '../../sandbox/runtime/timer.ts';
import { journeyPlatform } from '../../sandbox/sandbox.ts';
import { closesWithTest } from '../harness/http-server.ts';
import { type PartnerServer, startPartnerServer } from '../harness/partner/server.ts';
import type { PartnerSettings } from '../harness/partner/settings.ts';
import { certified } from './run.ts';

const hour = 3_600_000;

/** A partner's server for the test, right or as it is told. */
export async function partner(settings: Partial<PartnerSettings> = {}): Promise<PartnerServer> {
  const server = await startPartnerServer({ slowMs: hour, raceMs: 5, ...settings });
  closesWithTest(() => server.close());
  return server;
}

/** Certifies such a server, both versions of it, with all that a run can be given but time; undefined takes some away. */
export function judged(
  { url, settings, codeOf, tokenOf }: PartnerServer,
  input: { readonly [Name in keyof Input]?: Input[Name] | undefined } = {},
  parts: Partial<CertifyParts> = {},
): Promise<Report> {
  const { serviceToken, basic } = settings;
  const all = {
    client_url: url,
    service_token: serviceToken,
    basic: `${basic.username}:${basic.password}`,
    api: 'both',
    customers: ['CUST0001', 'CUST0002'],
    otp: { gateway: true },
    expired_token: tokenOf('CUST0001', settings.now() - hour),
    timeout_ms: 10_000,
    ...input,
  };
  const readCode: CertifyParts['readCode'] = async ({ reference_id }) => {
    const code = codeOf(reference_id);
    if (code === undefined) throw new Blocked('OTP-01', 'no code was sent under this reference');
    return code;
  };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as unknown as Input;
  return certified(given, { readCode, startPlatform: journeyPlatform(), ...parts });
}

/** The longest wait that is real, in milliseconds: what is left to the server, not to its clock. */
const mostReal = 3000;

/** A server and a whole run against it: every group, what waits for a time too, by a clock of the server that is put on. */
export async function wholly(
  settings: Partial<PartnerSettings> = {},
): Promise<{ server: PartnerServer; run: (input?: Partial<Input>, parts?: Partial<CertifyParts>) => Promise<Report> }> {
  let ahead = 0;
  const server = await partner({ raceMs: 60, ...settings, now: () => Date.now() + ahead });
  const real = delayBy(realTimer);
  const delay: CertifyParts['delay'] = async (milliseconds, signal) => {
    if (milliseconds <= mostReal) return real(milliseconds, signal);
    ahead += milliseconds;
  };
  return { server, run: (input, parts) => judged(server, { slow: true, ...input }, { delay, ...parts }) };
}

/** A token of the first customer whose time is over. */
export function ended({ tokenOf, settings }: PartnerServer): string {
  return tokenOf('CUST0001', settings.now() - settings.tokenSeconds * 1000);
}

/** The requirements that came to a verdict. */
export function having({ verdicts }: Report, word: string): readonly string[] {
  return verdicts.filter(({ verdict }) => verdict === word).map(({ id }) => id);
}

/** The requirements that failed. */
export function failed(report: Report): readonly string[] {
  return having(report, 'fail');
}

/** The verdicts of a group, by requirement. */
export function verdicts(report: Report, group: string): Record<string, string> {
  const ofGroup = report.verdicts.filter((verdict) => verdict.group === group);
  return Object.fromEntries(ofGroup.map(({ id, verdict }) => [id, verdict]));
}

/** The requirements of a group. */
export function idsOf(group: string): readonly string[] {
  return loadRequirements()
    .list.filter((requirement) => requirement.group === group)
    .map(({ id }) => id);
}
