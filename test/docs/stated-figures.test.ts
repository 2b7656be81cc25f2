/** Figures in the documentation, contracts and pages match the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { activityLimits } from '../../sandbox/activity-log/activity.ts';
import { agentLimits, maxMessage } from '../../sandbox/agents/server.ts';
import { flatTable } from '../../sandbox/contract/failure-tables.ts';
import { mostIssues } from '../../sandbox/contract/schemas.ts';
import * as otp from '../../sandbox/domain/otp.ts';
import { mostInService } from '../../sandbox/http/limits.ts';
import { circuitLimits } from '../../sandbox/http-client/circuit.ts';
import { outgoingTerms } from '../../sandbox/http-client/outgoing.ts';
import { startOptions } from '../../sandbox/options.ts';
import { defaultSettings } from '../../sandbox/runtime/settings.ts';
import { defaultRule } from '../../sandbox/vendors/outcomes.ts';
import { root } from '../harness/sources.ts';

/** Returns the text of a file with all whitespace, including line breaks, collapsed. */
const read = (path: string) => readFileSync(join(root, path), 'utf8').replaceAll(/\s+/g, ' ');

/** Returns a number that a module does not export, such as `const lifetime = 24 * 3600 * 1000;` or `most: 100,`. */
function constant(path: string, name: string): number {
  const declared = new RegExp(String.raw`(?:const ${name} =|\b${name}:) ([\d_ *]+)[;,]`);
  const [, factors] = declared.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  if (factors === undefined) throw new Error(`${path} has no number called ${name}.`);
  return factors.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
}

const words =
  `no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty`.split(/\s+/);
/** Formats a number as in prose, with words for small numbers. */
const word = (value: number) => words[value] ?? String(value);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const grouped = (value: number) => value.toLocaleString('en-GB');
/** Formats a duration as in tables, such as `30 min`. */
function short(milliseconds: number): string {
  const [size, unit] = [[3_600_000, 'h'] as const, [60_000, 'min'] as const].find(
    ([each]) => milliseconds % each === 0,
  ) ?? [1000, 's'];
  return `${milliseconds / size} ${unit}`;
}

const second = 1000;
const hour = 3_600 * second;
const kibi = 1024;
const vendor = defaultRule('any').delay_seconds;
const cursor = (defaultSettings.cursor_lifetime * second) / hour;
const key = constant('sandbox/platform/collections.ts', 'day') / hour;
const { company_token_lifetime: company, session_lifetime: session } = defaultSettings;
const jwt = constant('sandbox/client/operations/customer-sign-in.ts', 'lifetimeSeconds');
const deductions = constant('sandbox/domain/order.ts', 'mostTries');
const vendorTries = constant('sandbox/domain/order-line.ts', 'vendorTries');
const vendorWait = constant('sandbox/domain/order-line.ts', 'waitMilliseconds') / second;
const webhooks = constant('sandbox/platform/operations/events.ts', 'most');
const hooksLog = constant('sandbox/platform/deliveries.ts', 'mostTries');
const messages = constant('sandbox/client/outbox.ts', 'mostMessages');
const heartbeat = constant('sandbox/http-client/listener-line.ts', 'heartbeatMilliseconds') / second;
const connections = constant('sandbox/http/limits.ts', 'mostConnections');
const behind = constant('sandbox/http/limits.ts', 'mostBehind');
const reading = constant('sandbox/http/limits.ts', 'stalledMilliseconds') / second;
const arriving = constant('sandbox/http/limits.ts', 'requestMilliseconds') / second;
const body = constant('sandbox/contract/body.ts', 'bodyLimit') / kibi;
const formFields = constant('sandbox/contract/body.ts', 'formFieldLimit');
const depth = constant('sandbox/contract/body.ts', 'depthLimit');
const checked = (name: string) => constant('sandbox/conformance/decoding.ts', name);
const judged = constant('sandbox/conformance/activity-findings.ts', 'mostJudged');
const configuration = (name: string) => constant('sandbox/cli/yaml-file.ts', name);
const head = constant('sandbox/http/limits.ts', 'headBytes') / kibi;
const resend = constant('sandbox/sites/microsite/microsite.ts', 'resendAfter') / second;
const secret = constant('sandbox/workspaces/seed.ts', 'secretLength');
const customers = constant('sandbox/client/seed.ts', 'customers');
const workspaces = startOptions.workspaces.default;
const streams = constant('sandbox/activity-log/feed.ts', 'mostStreams');
const waiters = constant('sandbox/runtime/waiting.ts', 'mostWaiters');
const snapshots = constant('sandbox/workspaces/snapshots.ts', 'mostSnapshots');
const certifications = constant('sandbox/assembly/certifications.ts', 'mostCertifications');
const idle = constant('sandbox/cluster/open.ts', 'usualIdle') / second / 60;
const schedule = defaultSettings.retry_delays.map((seconds) => short(seconds * 1000)).join(', ');
/** The phrases in each file that state figures from the code. */
const stated: Readonly<Record<string, readonly string[]>> = {
  'docs/guides/test-data.md': [
    `each delivers after ${word(vendor)} seconds by default`,
    `up to \`CUST00${customers}\``,
  ],
  'docs/guides/quickstart.md': [`The vendor delivers after ${word(vendor)} seconds`],
  'openapi/sandbox/vendor-outcomes.yaml': [`delivery follows after ${word(vendor)} seconds`],
  'sandbox/dashboard/browser/overview/first-steps.tsx': [
    `The vendor responds after ${word(vendor)} seconds of sandbox time`,
  ],
  'sandbox/dashboard/browser/simulation/outcomes.tsx': [
    `delay_seconds: ${vendor} }`,
    `deliver after ${vendor} seconds`,
  ],
  'sandbox/dashboard/browser/server/attempts.ts': [`seconds: ${vendor} }`, `advanced by ${vendor} seconds`],
  'docs/behaviour.yaml': [
    `a message can have ${maxMessage / kibi / kibi} MiB`,
    `over HTTP it can have ${body} KiB`,
    `${agentLimits.concurrentCalls} tools run concurrently`,
    `cut after ${grouped(agentLimits.characters)} characters`,
    `A body over ${checked('mostCheckedBytes') / kibi ** 2} MiB, with more than ${grouped(checked('mostValues'))} values or ${checked('longestList')} items in a list`,
    `unpacks to more than ${checked('leastUnpackedBytes') / kibi} KiB and ${checked('mostGrowth')} times its size`,
    `A message has at most ${mostIssues} findings`,
    `a message with ${mostIssues} findings`,
    `keeps up to ${mostIssues} findings`,
    `the newest ${grouped(activityLimits.entries)} entries`,
    `there can be others, ${workspaces} in all`,
    `A workspace has ${streams} streams`,
    `${outgoingTerms.replyBytes / kibi} KiB for a reply and of ${word(outgoingTerms.inFlight)} calls in flight`,
    `heartbeat within ${heartbeat} s`,
    `${waiters} callers can wait`,
    `under a name, ${snapshots} at most`,
    `The ${certifications} newest of a workspace`,
    `for ${word(idle)} minutes of real time`,
    `all known names if there are at most ${word(constant('sandbox/contract/problem-texts.ts', 'fewNames'))}`,
    `Names and paths of more than ${constant('sandbox/contract/problem-texts.ts', 'longest')} characters get no suggestion`,
    `another code at the earliest ${resend} s after the last`,
  ],
  'docs/register.yaml': [
    `${capital(word(vendorTries))} times, ${word(vendorWait)} seconds of sandbox time apart.`,
    `\`expires_in\` (${otp.otpLifetimeSeconds})`,
    `allows ${otp.triesPerOtp} attempts. After ${otp.failuresUntilLock} failures in a row the customer is locked for ${otp.lockSeconds / 60} minutes`,
    `${capital(word(otp.codesPerWindow))} times in any ${word(otp.windowSeconds / 60)} minutes`,
    `\`expires_in\` (${company})`,
    `\`expires_in\` (${session}, or less`,
    `\`expires_in\` (${jwt}) and \`points\``,
    `lasts ${cursor} hours, rounded up to the next`,
    `for at least ${key} hours of sandbox time`,
    `${outgoingTerms.connectTimeout / second} s to connect, ${outgoingTerms.totalTimeout / second} s for the whole call`,
    `saveRedeemDetails is tried at most ${deductions} times`,
    `retries after ${schedule.replace(/, (\S+ \S+)$/, ' and $1')}`,
    `At most ${outgoingTerms.inFlight} calls are in flight to one address`,
    `After ${circuitLimits.failures} calls in a row without a response`,
    `A body may have ${body} KiB (else 413), JSON nested ${depth} deep, and a form ${formFields} fields (else 400)`,
    `together may have ${head} KiB (else 431)`,
    `There can be ${webhooks}; another one gets 409`,
    `${mostInService} calls can be in service`,
    `has ${defaultSettings.rate_limit} accepted requests in any sliding hour`,
    `(${defaultSettings.pending_timeout / 3600} hours of sandbox time by default)`,
    `(default ${defaultSettings.processing_fee_egv} for EGV, ${defaultSettings.processing_fee_physical} for PHYSICAL)`,
    `earned per 100 INR (default ${defaultSettings.points_per_100_inr})`,
  ],
  'docs/guides/portal.md': [
    `| lifetime | ${otp.otpLifetimeSeconds / 60} minutes |`,
    `| attempts per code | ${otp.triesPerOtp} |`,
    `${otp.failuresUntilLock} failures in a row lock the customer for ${otp.lockSeconds / 60} minutes`,
    `| codes per customer | ${otp.codesPerWindow} in ${otp.windowSeconds / 60} minutes`,
    `the JWT lives ${jwt / 60} minutes`,
  ],
  'docs/guides/what-you-build.md': [
    `allows ${word(otp.triesPerOtp)} attempts`,
    `can request ${word(otp.codesPerWindow)} codes in ${word(otp.windowSeconds / 60)} minutes`,
    `none, ${word(circuitLimits.failures)} times in a row | stops calling that operation at that address for ${circuitLimits.openFor / second} s`,
    `bodies over ${body} KiB`,
  ],
  'docs/guides/going-live.md': [
    `${word(otp.codesPerWindow)} one-time passwords in ${word(otp.windowSeconds / 60)} minutes`,
    `answered within ${outgoingTerms.totalTimeout / second} seconds`,
  ],
  'docs/security.md': [
    `${word(otp.triesPerOtp)} attempts per code, ${word(otp.failuresUntilLock)} failures lock`,
    `connect ${outgoingTerms.connectTimeout / second} s, ${outgoingTerms.totalTimeout / second} s in all, ${outgoingTerms.replyBytes / kibi} KiB of reply, ${word(outgoingTerms.inFlight)} at a time`,
  ],
  'openapi/auth.yaml': [
    `for ${word(otp.otpLifetimeSeconds / 60)} minutes`,
    `can request ${word(otp.codesPerWindow)} in ${word(otp.windowSeconds / 60)} minutes`,
    `allows ${word(otp.triesPerOtp)} attempts; ${word(otp.failuresUntilLock)} failures in a row, over any number of passwords, lock the customer for ${otp.lockSeconds / 60} minutes`,
  ],
  'openapi/components/client-errors.yaml': [
    `older than ${word(otp.otpLifetimeSeconds / 60)} minutes`,
    `${capital(word(otp.triesPerOtp))} wrong attempts`,
    `${capital(word(otp.codesPerWindow))} codes were sent within ${word(otp.windowSeconds / 60)} minutes`,
  ],
  'docs/guides/authentication.md': [
    `\`Bearer\` for the wallet | ${company} s`,
    `same as the company token | up to ${session} s`,
    `in the portal's address | ${jwt} s`,
  ],
  'openapi/rewards.yaml': [
    `It is valid for ${company === 3600 ? 'an hour' : company}`,
    `The session lasts ${session / 60} minutes`,
    `There can be ${webhooks} addresses`,
  ],
  'docs/guides/redemptions.md': [
    `Valid for at least ${cursor} hours`,
    `for at least ${key} hours of sandbox time`,
    `up to ${deductions} attempts while the customer waits`,
    `after ${schedule} |`,
    `You have ${outgoingTerms.connectTimeout / second} s to accept the connection and ${outgoingTerms.totalTimeout / second} s to respond`,
    `${defaultSettings.rate_limit} requests an hour`,
  ],
  'openapi/components/parameters.yaml': [`for ${cursor} hours at least`],
  'openapi/components/flat-errors.yaml': [`is older than ${cursor} hours`],
  'docs/guides/command.md': [
    `responses for an \`Idempotency-Key\` | ${key} hours`,
    `the newest ${grouped(activityLimits.entries)} entries, up to ${activityLimits.bytes / kibi ** 2} MiB`,
    `the newest ${grouped(messages)} of 30 days`,
    `the newest ${grouped(hooksLog)} attempts of 30 days`,
    `certifications | the newest ${certifications},`,
    `a \`--seed\` must have ${secret} characters or more`,
  ],
  'docs/guides/webhooks.md': [
    `any 2xx within ${outgoingTerms.totalTimeout / second} seconds`,
    `retries ${word(defaultSettings.retry_delays.length)} times over a day`,
  ],
  'sandbox/dashboard/browser/server/checklist.tsx': [
    `After ${word(circuitLimits.failures)} consecutive calls without a response`,
  ],
  'docs/guides/errors.md': [
    `up to ${mostInService / 2} concurrent calls`,
    `${grouped(connections)} open connections`,
    `${behind} pipelined calls`,
    `${arriving} s to receive a complete request`,
    `${reading} s without reading a response`,
  ],
  'sandbox/conformance/README.md': [`A message has at most ${mostIssues} findings`],
  'docs/guides/ci.md': [`up to ${workspaces} workspaces`],
  'docs/guides/checking-traffic.md': [`look at the newest ${grouped(judged)} calls`],
  'openapi/sandbox/activity.yaml': [`These rules look at the newest ${grouped(judged)} calls`],
  'docs/guides/operate.md': [`nobody calls for ${word(idle)} minutes leaves memory`],
  'docs/guides/certify.md': [
    `It reads up to ${outgoingTerms.replyBytes / kibi} KiB of a response`,
    `It can have ${configuration('mostBytes') / kibi} KiB and ${configuration('mostAliases')} aliases`,
  ],
};

it.each(Object.entries(stated))('%s states the numbers of the code', (file, texts) => {
  const text = read(file);
  expect(texts.filter((each) => !text.includes(each))).toEqual([]);
});

it('the register lists every code of the flat envelope, and authentication.md as many credentials as it says', () => {
  const register = read('docs/register.yaml');
  const row = (id: string) =>
    register.slice(register.indexOf(`id: ${id} `), register.indexOf('next:', register.indexOf(`id: ${id} `)));
  const listed = new Set(`${row('OP-13')} ${row('OP-41')}`.match(/\b[4-7]\d\b/g));
  const codes = new Set(Object.values(flatTable).map(({ code }) => String(code)));
  expect([...codes].filter((code) => !listed.has(code))).toEqual([]);
  const guide = readFileSync(join(root, 'docs/guides/authentication.md'), 'utf8');
  const [table = ''] = /\| Credential \|[\s\S]*?\n\n/.exec(guide) ?? [];
  expect(guide).toContain(`${capital(word(table.trim().split('\n').length - 2))} credentials, each for one purpose.`);
});
