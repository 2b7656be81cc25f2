/** Tests which calls the proxy admits. */
import { expect, it } from 'vitest';
import { Checker } from '../../sandbox/conformance/checker.ts';
import { ownContracts } from '../../sandbox/conformance/contracts.ts';
import { FindingCollector } from '../../sandbox/conformance/finding-collector.ts';
import { startProxy } from '../../sandbox/proxy/proxy.ts';
import { closesWithTest, httpServer } from '../harness/http-server.ts';

it('OP-65, OP-77: each call is judged by its own head, whatever the calls before it had', async () => {
  const behind = await httpServer((request, response) => request.resume().once('end', () => response.end()));
  const checker = new Checker(ownContracts());
  const proxy = await startProxy(checker, new FindingCollector(checker, 'proxy', '0.0.0'), {
    ...{ host: '127.0.0.1', port: 0, mode: 'report', upstreams: {}, replyMilliseconds: 5000, sandbox: behind },
    adminToken: 'a-token-of-the-operator',
  });
  closesWithTest(() => proxy.close());
  const status = async (path: string, headers: Record<string, string>) =>
    (await fetch(proxy.url + path, { headers })).status;
  const right = { authorization: 'Bearer a-token-of-the-operator' };
  const headerSets = [right, {}, right, { authorization: 'Bearer another-token-than-that' }];
  const answers: number[] = [];
  for (const headers of headerSets) answers.push(await status('/__proxy/findings', headers));
  expect(answers).toEqual([200, 401, 200, 401]);
  const others: Record<string, string>[] = [{}, {}, { origin: 'https://a.example' }, { 'x-sandbox-outgoing': '1' }, {}];
  const statuses: number[] = [];
  for (const headers of others) statuses.push(await status('/elsewhere', headers));
  expect(statuses).toEqual([200, 200, 400, 403, 200]);
});
