/** Starts and certifies a partner's server in a test, either correct or with a mistake. */

import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import type { CertifyParts } from '../../sandbox/certification/run-plan.ts';
import { Blocked, type Input, type Report } from '../../sandbox/certification/verdict.ts';
import { delayBy, realTimer } from '../../sandbox/runtime/clock.ts';
import { journeyPlatform } from '../../sandbox/sandbox.ts';
import { closesWithTest, serve } from '../harness/http-server.ts';
import { type PartnerServer, startPartnerServer } from '../harness/partner/server.ts';
import type { PartnerSettings } from '../harness/partner/settings.ts';
import { runCertification } from './run.ts';

const hour = 3_600_000;

/** Starts a partner's server with default behaviour or with these settings. The server stops after the test. */
export async function partner(settings: Partial<PartnerSettings> = {}): Promise<PartnerServer> {
  const server = await startPartnerServer({ slowMs: hour, raceMs: 5, ...settings });
  closesWithTest(() => server.close());
  return server;
}

/** The status and text of a reply, or `undefined` to leave the call unanswered. */
type Reply = readonly [status: number, text: string] | undefined;

/** Starts a relay in front of a server. `replyTo` returns the reply to a call to a path, usually that of `forward`, which calls the server. */
export async function relayed(
  server: PartnerServer,
  replyTo: (path: string, forward: () => Promise<readonly [number, string]>) => Reply | Promise<Reply>,
): Promise<PartnerServer> {
  const url = await serve(async ({ url = '', method = 'GET', headers: all }, body, response) => {
    const names = ['authorization', 'content-type'].filter((name) => all[name] !== undefined);
    const headers = Object.fromEntries(names.map((name) => [name, String(all[name])]));
    const reply = await replyTo(url.split('?')[0] ?? '', async () => {
      const answer = await fetch(server.url + url, { method, headers, ...(body !== '' && { body }) });
      return [answer.status, await answer.text()];
    });
    if (reply !== undefined) response.writeHead(reply[0], { 'content-type': 'application/json' }).end(reply[1]);
  });
  return { ...server, url };
}

/** Certifies both versions of a partner's server with every input except `slow`. An `undefined` value removes an input. */
export function certifyServer(
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
  const defined = Object.entries(all).filter(([, value]) => value !== undefined);
  return runCertification(Object.fromEntries(defined) as unknown as Input, {
    readCode,
    startPlatform: journeyPlatform(),
    ...parts,
  });
}

/** Maximum wait in real time, in milliseconds. Longer waits advance the server's clock instead. */
export const mostReal = 3000;

/**
 * Starts a server. Returns a function that runs every group against it, including the slow ones, whose waits advance
 * the server's clock.
 */
export async function startWholeRun(
  settings: Partial<PartnerSettings> = {},
): Promise<{ server: PartnerServer; run: (input?: Partial<Input>, parts?: Partial<CertifyParts>) => Promise<Report> }> {
  let ahead = 0;
  const server = await partner({ raceMs: 60, ...settings, now: () => Date.now() + ahead });
  const real = delayBy(realTimer);
  const delay: CertifyParts['delay'] = async (milliseconds, signal) => {
    if (milliseconds <= mostReal) return real(milliseconds, signal);
    ahead += milliseconds;
  };
  return { server, run: (input, parts) => certifyServer(server, { slow: true, ...input }, { delay, ...parts }) };
}

/** Returns the ids of the requirements with the given verdict. */
export function idsWithVerdict({ verdicts }: Report, word: string): readonly string[] {
  return verdicts.filter(({ verdict }) => verdict === word).map(({ id }) => id);
}

/** Returns the ids of the failed requirements. */
export function failedIds(report: Report): readonly string[] {
  return idsWithVerdict(report, 'fail');
}

/** Returns the verdicts of a group, keyed by requirement. */
export function verdicts(report: Report, group: string): Record<string, string> {
  const ofGroup = report.verdicts.filter((verdict) => verdict.group === group);
  return Object.fromEntries(ofGroup.map(({ id, verdict }) => [id, verdict]));
}

/** Returns the ids of a group's requirements. */
export function idsOf(group: string): readonly string[] {
  const { list } = loadRequirements();
  return list.filter((requirement) => requirement.group === group).map(({ id }) => id);
}
