/** Tests calls in a process that cannot load its HTTP client, for example without free file descriptors (OP-150). */
import { expect, it, vi } from 'vitest';
import { Interrupted } from '../../sandbox/http-client/connections.ts';
import { Outgoing, outgoingTerms } from '../../sandbox/http-client/outgoing.ts';

it('OP-150: a call without an HTTP client is interrupted by this side, and none after it is refused for that', async () => {
  vi.doMock('undici', () => {
    throw new Error('EMFILE: too many open files');
  });
  const unused = () => {
    throw new Error('nothing connects');
  };
  const outgoing = new Outgoing(outgoingTerms, unused, () => 0);
  const call = { method: 'GET', url: 'http://127.0.0.1:9/x', headers: {} };
  const interrupted = new Interrupted('not_sent', 'the HTTP client cannot be loaded');
  for (let times = 0; times < 6; times += 1) {
    await expect(outgoing.send('read', call)).rejects.toStrictEqual(interrupted);
  }
});
