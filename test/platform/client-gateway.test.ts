/** Tests calls from the platform to its client that cannot be sent. */
import { expect, it, onTestFinished } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { type ActivityCollections, activitySchema } from '../../sandbox/activity-log/stored-log.ts';
import { validatingContract } from '../../sandbox/conformance/own-traffic.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import { type Connector, guardedConnector, systemResolve } from '../../sandbox/http-client/connecting.ts';
import { Outgoing, outgoingTerms } from '../../sandbox/http-client/outgoing.ts';
import { ClientGateway } from '../../sandbox/platform/client-gateway.ts';
import { localAddresses } from '../../sandbox/runtime/caller.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { httpServer } from '../harness/http-server.ts';
import { nowhere } from '../harness/nowhere.ts';
import { testSpans } from '../harness/spans.ts';

/** Creates the platform's gateway to a client at this address, with its log. */
function calling(address: { readonly client_url: string; readonly client_token: string }, connect: Connector) {
  const store = openMemoryStore<ActivityCollections>(activitySchema);
  const activity = new Activity(store, new Clock({ mode: 'frozen', value: 0 }, () => 0), expect.fail);
  const outgoing = new Outgoing(outgoingTerms, connect, () => 0);
  onTestFinished(() => outgoing.close());
  const contracts = [validatingContract(loadContract('client', 'interface'))];
  const toClient = () => outgoing;
  const client = new ClientGateway(contracts, toClient, { activity, spans: testSpans() }, () => address);
  return { client, store, activity };
}

it.each(['\u0001', '\n', '\u20ac'])(
  'OP-80: a token that contains %j counts as no answer, and the log does not reveal it',
  async (odd) => {
    const address = { client_url: 'http://127.0.0.1:9', client_token: `secret${odd}x` };
    const { client, store, activity } = calling(address, () => expect.fail('a connection was made'));
    const reason = 'the header authorization contains an invalid character';
    expect(await client.getProfileAndPoints('CUST0001', '0'.repeat(32))).toEqual({ kind: 'no_answer', reason });
    await store.flush();
    expect(activity.after(0).map((entry) => 'notices' in entry && entry.notices)).toEqual([[reason]]);
  },
);

it("OP-24: the path of a call follows the client's address after exactly one slash, whether or not the address ends in one", async () => {
  const requests: string[] = [];
  const { origin } = await httpServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(503).end();
  });
  const connect = guardedConnector({ allowed: localAddresses, resolve: systemResolve, timeout: 3_000, own: nowhere });
  for (const client_url of [`${origin}/client`, `${origin}/client/`]) {
    const { client } = calling({ client_url, client_token: 'service' }, connect);
    await client.getProfileAndPoints('A&B', '0'.repeat(32), 'jwt');
    await client.updateRedeemStatus(
      { redeemCode: 'R', status: 'Delivered', orderStatus: 'Delivered', remark: '', projectCode: 'P' },
      '0'.repeat(32),
    );
  }
  const once = [
    'POST /client/getProfileAndPoints?uid=A%26B Bearer jwt',
    'POST /client/updateRedeemStatus Bearer service',
  ];
  expect(requests).toEqual([...once, ...once]);
});
