/** Starts bare HTTP servers that use a test's own handler, without a sandbox. */
import { onTestFinished } from 'vitest';
import { flatEnvelope } from '../../sandbox/contract/envelopes.ts';
import type { ServerLimits } from '../../sandbox/http/limits.ts';
import { listen, type ServerParts } from '../../sandbox/http/listen.ts';

/** Options for a test server. */
interface Wishes {
  readonly tls?: Parameters<typeof listen>[3];
  readonly limits?: Partial<ServerLimits>;
  readonly internal?: ServerParts['internal'];
}

/** Starts a server on a free loopback port. The server closes after the test. */
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
