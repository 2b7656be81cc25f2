/** Starts the validation proxy in front of a test's server. */
import { Checker } from '../../sandbox/conformance/checker.ts';
import { ownContracts } from '../../sandbox/conformance/contracts.ts';
import { FindingCollector } from '../../sandbox/conformance/finding-collector.ts';
import { startProxy } from '../../sandbox/proxy/proxy.ts';
import type { ProxyOptions } from '../../sandbox/proxy/proxy-server.ts';
import { closesWithTest } from './http-server.ts';

const checker = new Checker(ownContracts());
/** Returns the shared checker for all contracts. */
export function sharedChecker(): Checker {
  return checker;
}

/** Starts a proxy that forwards everything to one server. */
export async function proxyTo(upstream: URL, options: Partial<ProxyOptions> = {}) {
  const book = new FindingCollector(checker, 'proxy', '0.0.0');
  const settings = { host: '127.0.0.1', port: 0, mode: 'report', upstreams: {}, replyMilliseconds: 5000 } as const;
  const proxy = await startProxy(checker, book, { ...settings, sandbox: upstream, ...options });
  closesWithTest(() => proxy.close());
  return { url: proxy.url, book, close: proxy.close };
}
