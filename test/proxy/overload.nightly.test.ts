/** Tests a sandbox at its concurrency limit behind the proxy (OP-83, OP-90). */
import { expect, it } from 'vitest';
import { registry } from '../../sandbox/apis/registry.ts';
import { example, exchange, operations } from '../harness/exchanges.ts';
import { proxyTo } from '../harness/proxy.ts';
import { testSandbox } from '../harness/sandbox.ts';

/** Every operation except the health check, which is always answered. */
const refusable = operations.filter(({ id }) => id !== 'getHealth');

it.each(['report', 'enforce'] as const)(
  'OP-83: in mode %s the 503 of every operation passes unchanged, with Retry-After, and is no finding',
  async (mode) => {
    const { origin, warnings } = await testSandbox({ mostInService: 0 });
    const proxy = await proxyTo(new URL(origin), { mode });
    for (const { id } of refusable) {
      const draft = example(id);
      const { method, server, path, request } = exchange(draft);
      // None of these operations is a webhook, which has no local address.
      const url = registry[server as keyof typeof registry].prefix + path;
      const bytes = request.body.kind === 'bytes' ? request.body.bytes : Buffer.alloc(0);
      const init = { method, headers: draft.request.headers, ...(bytes.length > 0 && { body: new Uint8Array(bytes) }) };
      const [direct, through] = await Promise.all([origin, proxy.url].map((at) => fetch(at + url, init)));
      expect([id, through?.status, await through?.text()]).toEqual([id, 503, await direct?.text()]);
      for (const name of ['retry-after', 'x-problem', 'content-type']) {
        expect([id, name, through?.headers.get(name)]).toEqual([id, name, direct?.headers.get(name)]);
      }
      expect(through?.headers.get('retry-after')).toBe('1');
    }
    expect(proxy.book.report).toMatchObject({ exchanges: { checked: refusable.length, unreadable: 0 }, findings: [] });
    warnings.splice(0);
  },
);
