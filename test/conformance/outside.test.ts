/** Tests that calls to paths outside the interface lead to a notice, unless the path resembles one in the interface (OP-90). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { example, exchange } from '../harness/exchanges.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { httpServer } from '../harness/http-server.ts';
import { proxyTo, sharedChecker } from '../harness/proxy.ts';
import { lines, reportOf } from './statements/check.ts';
import { golden } from './statements/golden.ts';
import type { Call } from './statements/recording.ts';

/** Returns the findings for a call to a server, with severity and expected path. */
function findingsAt(server: 'rewards' | 'client' | 'general', method: string, path: string) {
  const draft = { ...example('companyAuth', 200), server, method, path };
  const { findings } = sharedChecker().check(exchange(draft));
  return findings.map(({ severity, code, expected, basis }) => `${severity} ${code}: ${expected} (${basis})`);
}

const outside = 'notice request.url.outside: not part of this interface (OP-90)';

// biome-ignore format: a row a line
const open = [
  ['a health check', 'client', 'GET', '/health'],
  ['a root', 'client', 'GET', '/'],
  ['metrics', 'rewards', 'GET', '/metrics'],
  ['another operation of a partner', 'client', 'POST', '/v2/creditPoints/bulk'],
  ['a payment event at an address of its own', 'rewards', 'POST', '/v1/payments'],
  ['a payment event nearly at the address that the sandbox chose', 'rewards', 'POST', '/v1/partner/event/payment'],
  ['a webhook registration at an address of its own', 'rewards', 'POST', '/v1/partner/webhook'],
  ['a path below a stated one', 'general', 'GET', '/v1/orders/17'],
] as const;

it.each(open)('a path that the interface does not name is a notice: %s', (_, server, method, path) => {
  expect(findingsAt(server, method, path)).toEqual([outside]);
});

// biome-ignore format: a row a line
const nearMisses = [
  ['a letter is missing', 'client', 'POST', '/creditPoint', '/creditPoints', 'B4'],
  ['a letter too many', 'client', 'POST', '/saveRedeemDetailss', '/saveRedeemDetails', 'B5'],
  ['another letter', 'client', 'POST', '/updateRedeemStatux', '/updateRedeemStatus', 'B10'],
  ['two letters are swapped', 'client', 'POST', '/getProfileAndPionts', '/getProfileAndPoints', 'B2'],
  ['`/v1` is added', 'client', 'POST', '/v1/creditPoints', '/creditPoints', 'B4'],
  ['`/v1` is missing', 'rewards', 'GET', '/partner/rewards', '/v1/partner/rewards', 'A4'],
  ['`/v1` is missing from version 2.0', 'client', 'GET', '/api/customer/points', '/api/v1/customer/points', 'E3'],
  ['upper case', 'rewards', 'GET', '/getWalletDetail', '/getwalletdetail', 'A14'],
  ['a slash at the end', 'general', 'GET', '/v1/products/', '/v1/products', 'F3'],
  ['two slashes', 'client', 'POST', '//creditPoints', '/creditPoints', 'B4'],
] as const;

it.each(nearMisses)('a near miss of a stated path names the path: %s', (_, server, method, path, meant, statement) => {
  expect(findingsAt(server, method, path)).toEqual([
    `error request.url.undocumented: the path ${meant} (stated ${statement})`,
  ]);
});

/** Returns the recording with every call of an operation changed. */
function changed(calls: readonly Call[], operation: string, change: Partial<Call>): Call[] {
  return calls.map((call) => (call.operation === operation ? { ...call, ...change } : call));
}

function without(calls: readonly Call[], operation: string): Call[] {
  const index = calls.findIndex((call) => call.operation === operation);
  return calls.toSpliced(index, 1);
}

describe('in a complete recording', () => {
  const health = { server: 'client', method: 'GET', path: '/health', reply: undefined, body: undefined } as const;
  const withHealth = (calls: readonly Call[]): Call[] => [
    ...calls,
    ...[1, 2, 3].map(() => ({ ...(calls.at(-1) as Call), ...health })),
  ];

  it('a health check is counted, checked by nothing, and no fault of anybody', () => {
    const report = reportOf(withHealth(golden()));
    expect(report.totals).toMatchObject({ errors: 0, warnings: 0, notices: 1 });
    expect(report.exchanges).toMatchObject({ checked: golden().length, outside: 3 });
    expect(report.findings).toMatchObject([{ code: 'request.url.outside', times: 3, actual: '/health' }]);
  });

  it('G13 M5: a record that was never sent is a finding beside health checks', () => {
    const missing = without(golden(), 'saveRedeemDetails');
    const found = lines(reportOf(withHealth(missing))).filter((line) => line.includes('order-goes-to-the-client'));
    expect(found).toHaveLength(1);
    expect(lines(reportOf(withHealth(missing)))).toEqual(lines(reportOf(missing)));
  });

  it('G8 M2: credits follow payment events at an address of the platform', () => {
    const moved = changed(golden(), 'sendPaymentEvent', { path: '/v1/payments' });
    expect(lines(reportOf(moved))).toEqual([]);
    const absent = golden().filter(({ operation }) => operation !== 'sendPaymentEvent');
    expect(lines(reportOf(absent)).every((line) => line.includes('credit-follows-its-payment'))).toBe(true);
    expect(lines(reportOf(absent)).length).toBeGreaterThan(0);
  });
});

describe('check', () => {
  const log = async (...targets: readonly string[]) => {
    const file = join(await temporaryFolder(), 'access.ndjson');
    const line = (url: string) => JSON.stringify({ request: { method: 'GET', url }, response: { status: 200 } });
    const credit = example('creditPoints', 200);
    const good = JSON.stringify({
      request: { method: 'POST', url: '/creditPoints', headers: credit.request.headers, body: credit.request.body },
      response: { status: 200, headers: credit.reply.headers, body: credit.reply.body },
    });
    await writeFile(file, `${[...targets.map(line), good].join('\n')}\n`);
    return file;
  };
  const client = ['--server', 'client=http://127.0.0.1:8080'];

  it('0: an access log with health checks, which are listed', async () => {
    const { code, stdout } = await inProcess(['check', await log('/health', '/ready'), ...client]).ended;
    expect(code).toBe(0);
    expect(stdout).toContain('notice request.url.outside\n  GET /health -> 200  (no operation of client)');
    expect(stdout).toContain('  /url: not part of this interface; found /health\n');
    expect(stdout).toContain('No findings in 1 exchange. 2 notices');
    expect(stdout).not.toContain('The capture is incomplete');
    expect(stdout).toContain('Checked 1 of 3 calls.');
  });

  it('3: nothing but paths that the interface does not name', async () => {
    const file = join(await temporaryFolder(), 'access.ndjson');
    await writeFile(
      file,
      `${JSON.stringify({ request: { method: 'GET', url: '/api/x' }, response: { status: 200 } })}\n`,
    );
    const { code, stdout } = await inProcess(['check', file, ...client]).ended;
    expect(code).toBe(3);
    expect(stdout).toContain('found /api/x');
    expect(stdout).toContain('Nothing was checked');
  });

  it('checks every server of an API when --server names it several times', async () => {
    const file = join(await temporaryFolder(), 'two.ndjson');
    const at = (port: number) =>
      JSON.stringify({
        request: { method: 'GET', url: `http://127.0.0.1:${port}/creditPoints` },
        response: { status: 404 },
      });
    await writeFile(file, `${at(8080)}\n${at(8081)}\n`);
    const servers = [...client, '--server', 'client=http://127.0.0.1:8081'];
    const { stdout } = await inProcess(['check', file, ...servers, '--json']).ended;
    expect(JSON.parse(stdout)).toMatchObject({
      exchanges: { checked: 2, outside: 0 },
      findings: [{ code: 'request.method.undocumented', times: 2 }],
    });
  });
});

it('mode enforce forwards a call to a path that the interface does not name', async () => {
  const upstream = await httpServer((_, response) => response.end('up'));
  const { url, book } = await proxyTo(new URL(upstream.origin), { mode: 'enforce', failOn: 'warning' });
  const answer = await fetch(`${url}/client/health`);
  expect([answer.status, await answer.text()]).toEqual([200, 'up']);
  expect(book.report).toMatchObject({
    exchanges: { checked: 0, outside: 1 },
    findings: [{ code: 'request.url.outside', severity: 'notice' }],
  });
});
