/** A partner's server for a test, and a run of the suite against it. */
import type { CertifyParts } from '../../sandbox/conformance/certification/certify.ts';
import type { Input, Report } from '../../sandbox/conformance/certification/verdict.ts';
import { journeyPlatform } from '../../sandbox/sandbox.ts';
import { closesWithTest } from '../harness/http-server.ts';
import type { MistakeName } from '../harness/partner/mistakes.ts';
import { type PartnerServer, startPartnerServer } from '../harness/partner/server.ts';
import type { PartnerSettings } from '../harness/partner/settings.ts';
import { certified } from './run.ts';

/** Starts a server that ends with the test; right where no mistake is named. */
export async function partnerServer(given: Partial<PartnerSettings> = {}): Promise<PartnerServer> {
  const server = await startPartnerServer(given);
  closesWithTest(() => server.close());
  return server;
}

/** Certifies a server in all that it has, its codes read from itself, with a platform for journeys. */
export function certifiedWhole(
  { url, settings, codeOf }: PartnerServer,
  input: Partial<Input> = {},
  parts: Partial<CertifyParts> = {},
): Promise<Report> {
  const { username, password } = settings.basic;
  const whole = { client_url: url, service_token: settings.serviceToken, basic: `${username}:${password}` };
  const otp = { url: `${url}/test/otp?reference_id={reference_id}` };
  return certified(
    { ...whole, otp, api: 'both', customers: ['CUST0001', 'CUST0002'], ...input },
    {
      readCode: async ({ reference_id }) => codeOf(reference_id) ?? '',
      startPlatform: journeyPlatform(),
      ...parts,
    },
  );
}

/** The ids of requirements that came to a verdict. */
export function having({ verdicts }: Report, word: string): readonly string[] {
  return verdicts.filter(({ verdict }) => verdict === word).map(({ id }) => id);
}

/** A server with this mistake, certified in these groups. */
export async function withMistake(mistake: MistakeName, only: string[]): Promise<Report> {
  return certifiedWhole(await partnerServer({ mistake, slowMs: 2000 }), { only, timeout_ms: 1000 });
}
