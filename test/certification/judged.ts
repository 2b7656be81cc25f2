/** Servers with a mistake, as the suite judges them. */
import type { CertifyParts } from '../../sandbox/conformance/certification/certify.ts';
import { loadRequirements } from '../../sandbox/conformance/certification/requirement.ts';
import { Blocked, type Input, type Report } from '../../sandbox/conformance/certification/verdict.ts';
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

/** Certifies such a server, both versions of it, with all that a run can be given. */
export function judged(
  { url, settings, codeOf, tokenOf }: PartnerServer,
  input: Partial<Input>,
  parts: Partial<CertifyParts> = {},
): Promise<Report> {
  const { serviceToken, basic } = settings;
  const all: Input = {
    client_url: url,
    service_token: serviceToken,
    basic: `${basic.username}:${basic.password}`,
    api: 'both',
    customers: ['CUST0001', 'CUST0002'],
    otp: { gateway: true },
    expired_token: tokenOf('CUST0001', settings.now() - hour),
    timeout_ms: 500,
    ...input,
  };
  const readCode: CertifyParts['readCode'] = async ({ reference_id }) => {
    const code = codeOf(reference_id);
    if (code === undefined) throw new Blocked('OTP-01', 'no code was sent under this reference');
    return code;
  };
  return certified(all, { readCode, ...parts });
}

/** A token of the first customer whose time is over. */
export function ended({ tokenOf, settings }: PartnerServer): string {
  return tokenOf('CUST0001', settings.now() - settings.tokenSeconds * 1000);
}

/** The requirements that failed. */
export function failed({ verdicts }: Report): readonly string[] {
  return verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
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
