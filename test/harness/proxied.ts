/**
 * Runs journeys against a sandbox behind the validation proxy. The proxy sees all replies and the requests of customers, clients, testers
 * and the platform, including webhooks. Calls that bypass the proxy are read from the activity log. A journey fails if any of its traffic
 * breaks a contract.
 */
import { ActivityEntries } from '../../sandbox/conformance/activity-entries.ts';
import { operationsOf } from '../../sandbox/conformance/contracts.ts';
import type { Finding } from '../../sandbox/conformance/finding.ts';
import { FindingCollector } from '../../sandbox/conformance/finding-collector.ts';
import { startProxy } from '../../sandbox/proxy/proxy.ts';
import type { ProxyOptions } from '../../sandbox/proxy/proxy-server.ts';
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import { afterEveryTest } from './lifecycle.ts';
import { sharedChecker } from './proxy.ts';
import { clientsOf, ok, testSandbox } from './sandbox.ts';

/** Ends a journey's sandbox and proxy, and returns the unexpected findings. */
type End = () => Promise<readonly Finding[]>;

const ends = new Set<End>();
const collectors = new Set<FindingCollector>();

afterEveryTest(async () => {
  const ending = [...ends];
  ends.clear();
  const findings = (await Promise.all(ending.map((end) => end()))).flat();
  if (findings.length > 0) throw new Error(`traffic broke the contracts: ${JSON.stringify(findings, null, 2)}`);
});

/** Returns how often this file's proxies have seen each request and reply of the contracts. */
export function traffic() {
  return [...collectors].flatMap((collector) => collector.report.coverage.cells);
}

/** Returns the interface statements that this file's journeys cover. */
export function statementsSeen() {
  return [...collectors].flatMap((collector) => collector.report.statements);
}

/** Starts a proxy whose upstream a test can set later. `findings` collects distinct errors and warnings. Tests remove the expected ones. */
export async function journeyProxy(mode: ProxyOptions['mode'] = 'report') {
  const checker = sharedChecker();
  const collector = new FindingCollector(checker, 'proxy', '0.0.0');
  collectors.add(collector);
  const findings: Finding[] = [];
  const record = (finding: Finding) => {
    if (finding.severity !== 'notice') findings.push(finding);
  };
  const upstreams: { webhook?: URL } = {};
  const nowhere = new URL('http://127.0.0.1:9');
  const limits = { host: '127.0.0.1', port: 0, replyMilliseconds: 60_000 };
  const options: ProxyOptions & { sandbox: URL } = {
    ...limits,
    mode,
    failOn: 'warning',
    upstreams,
    sandbox: nowhere,
    onFinding: record,
    now: () => performance.now(),
  };
  const proxy = await startProxy(checker, collector, options);
  const end: End = async () => {
    await proxy.close();
    // Findings about the recording as a whole.
    collector.report.findings.filter(({ code }) => code.includes('.trace.')).forEach(record);
    return findings;
  };
  ends.add(end);
  return {
    url: proxy.url,
    findings,
    /** Forwards everything to the sandbox at this address. */
    leadTo(sandbox: string): void {
      options.sandbox = new URL(sandbox);
    },
    /** Forwards webhooks to this address. Returns the address to register. */
    webhooksTo(receiver: string): string {
      upstreams.webhook = new URL(receiver);
      return `${proxy.url}/hooks`;
    },
    /** Waits for calls in progress, so that no finding is missing. */
    close: proxy.close,
    /** Records the findings in activity log entries. */
    read(entries: readonly unknown[]): void {
      const reader = new ActivityEntries(operationsOf(checker.contracts));
      for (const entry of entries) {
        const exchange = reader.read(entry);
        if (typeof exchange === 'object') checker.check(exchange).findings.forEach(record);
      }
    },
    end,
  };
}

/** Starts a sandbox for one journey. The returned addresses lead through the proxy. */
export async function proxiedSandbox(options: SandboxOptions = {}, mode?: ProxyOptions['mode']) {
  const proxy = await journeyProxy(mode);
  const sandbox = await testSandbox({ clientUrl: `${proxy.url}/client`, ...options });
  proxy.leadTo(sandbox.origin);
  const { credentials, origin, control, workspace } = sandbox;
  const proxyUrls = Object.entries(sandbox.urls).map(([name, url]) => [name, url.replace(origin, proxy.url)] as const);
  const urls = Object.fromEntries(proxyUrls) as typeof sandbox.urls;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= control
      .GET('/activity', { params: { query: { limit: 10_000 } } })
      .then((log) => proxy.read(ok(log).items))
      .then(sandbox.close);
    return closed;
  };
  ends.delete(proxy.end);
  ends.add(() => close().then(proxy.end));
  // To the control API, a call through a proxy does not come from this machine (OP-65).
  const clients = clientsOf({ urls, credentials }, workspace.admin_token);
  return { ...sandbox, ...clients, origin: proxy.url, proxy, close };
}

export type ProxiedSandbox = Awaited<ReturnType<typeof proxiedSandbox>>;
