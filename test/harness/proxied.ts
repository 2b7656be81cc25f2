/**
 * Journeys run against a sandbox behind the validation proxy: what customers, clients and testers send, what the
 * platform sends to the client and to webhooks, and all replies. What the parties send each other past the proxy is
 * read from the activity log. A journey fails when anything in it is not as the contracts say.
 */
import { ActivityEntries, operationsOf } from '../../sandbox/conformance/activity-entries.ts';
import type { Finding } from '../../sandbox/conformance/finding.ts';
import { FindingCollector } from '../../sandbox/conformance/finding-collector.ts';
import { startProxy } from '../../sandbox/proxy/proxy.ts';
import type { ProxyOptions } from '../../sandbox/proxy/proxy-options.ts';
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import { afterEveryTest } from './lifecycle.ts';
import { sharedChecker } from './proxy.ts';
import { clientsOf, ok, testSandbox } from './sandbox.ts';

/** Ends a journey's sandbox and proxy, and answers what was found and not expected. */
type End = () => Promise<readonly Finding[]>;

const ends = new Set<End>();
const books = new Set<FindingCollector>();

afterEveryTest(async () => {
  const ending = [...ends];
  ends.clear();
  const found = (await Promise.all(ending.map((end) => end()))).flat();
  if (found.length > 0) throw new Error(`traffic broke the contracts: ${JSON.stringify(found, null, 2)}`);
});

/** How often each request and reply of the contracts passed a proxy of this file so far. */
export function traffic() {
  return [...books].flatMap((book) => book.report.coverage.cells);
}

/** What the journeys of this file have shown of the statements of the interface. */
export function statementsSeen() {
  return [...books].flatMap((book) => book.report.statements);
}

/**
 * A proxy that can be told later what is behind it. `findings` fills with errors and warnings, each once; a test takes out what it
 * expects.
 */
export async function journeyProxy(mode: ProxyOptions['mode'] = 'report') {
  const checker = sharedChecker();
  const book = new FindingCollector(checker, 'proxy', '0.0.0');
  books.add(book);
  const findings: Finding[] = [];
  const note = (found: Finding) => {
    if (found.severity !== 'notice') findings.push(found);
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
    onFinding: note,
    now: () => performance.now(),
  };
  const proxy = await startProxy(checker, book, options);
  const end: End = async () => {
    await proxy.close();
    // What only the recording as a whole shows.
    book.report.findings.filter(({ code }) => code.includes('.trace.')).forEach(note);
    return findings;
  };
  ends.add(end);
  return {
    url: proxy.url,
    findings,
    /** Passes everything on to the sandbox with this address. */
    leadTo(sandbox: string): void {
      options.sandbox = new URL(sandbox);
    },
    /** Passes webhooks on to this address. Returns where to register for them. */
    webhooksTo(receiver: string): string {
      upstreams.webhook = new URL(receiver);
      return `${proxy.url}/hooks`;
    },
    /** Lets calls under way end, so that all that will be found was. */
    close: proxy.close,
    /** Notes what is wrong in entries of the activity log. */
    read(entries: readonly unknown[]): void {
      const known = new ActivityEntries(operationsOf(checker.contracts));
      for (const entry of entries) {
        const exchange = known.read(entry);
        if (typeof exchange === 'object') checker.check(exchange).findings.forEach(note);
      }
    },
    end,
  };
}

/** A sandbox of the journey's own, whose addresses are those of the proxy in front of it. */
export async function proxiedSandbox(options: SandboxOptions = {}, mode?: ProxyOptions['mode']) {
  const proxy = await journeyProxy(mode);
  const sandbox = await testSandbox({ clientUrl: `${proxy.url}/client`, ...options });
  proxy.leadTo(sandbox.origin);
  const { credentials, origin, control, workspace } = sandbox;
  const moved = Object.entries(sandbox.urls).map(([name, url]) => [name, url.replace(origin, proxy.url)] as const);
  const urls = Object.fromEntries(moved) as typeof sandbox.urls;
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
  // What a proxy passed on is not from this machine for the control API (OP-65).
  const clients = clientsOf({ urls, credentials }, workspace.admin_token);
  return { ...sandbox, ...clients, origin: proxy.url, proxy, close };
}

export type ProxiedSandbox = Awaited<ReturnType<typeof proxiedSandbox>>;
