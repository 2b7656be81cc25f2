/** Servers that only listen, with a handler of the test's own and no sandbox behind them. */
import { onTestFinished } from 'vitest';
import { flatEnvelope } from '../../sandbox/contract/envelopes.ts';
import type { ServerLimits } from '../../sandbox/http/limits.ts';
import { listen, type ServerParts } from '../../sandbox/http/listen.ts';

/** Options of a test's server. */
interface Wishes {
  readonly tls?: Parameters<typeof listen>[3];
  readonly limits?: Partial<ServerLimits>;
  readonly internal?: ServerParts['internal'];
}

/** Listens on a free port of loopback. It closes with the test. */
export async function bareServer(handle: ServerParts['handle'], { tls, limits = {}, internal }: Wishes = {}) {
  const served: ServerParts = {
    handle,
    internal: internal ?? (() => false),
    newTrace: () => '0'.repeat(32),
    refusal: (_, failure) => flatEnvelope.render(failure),
  };
  const server = await listen(served, '127.0.0.1', 0, tls, limits);
  onTestFinished(() => server.close());
  return { ...server, origin: `http://127.0.0.1:${server.port}` };
}
