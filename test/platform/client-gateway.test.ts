/** A call of the platform's to its client that cannot be sent. */
import { expect, it } from 'vitest';
import { judgedContract } from '../../sandbox/conformance/reply-judge.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import { ClientGateway } from '../../sandbox/platform/client-gateway.ts';
import { Activity, type ActivityBooks, activitySpec } from '../../sandbox/runtime/activity.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { Outgoing, outgoingTerms } from '../../sandbox/runtime/outgoing.ts';
import { SeededRandom } from '../../sandbox/runtime/random.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';

it.each(['\u0001', '\n', '\u20ac'])(
  'OP-80: a token with %j in it is no answer, and the log does not tell it',
  async (odd) => {
    const store = openMemoryStore<ActivityBooks>(activitySpec);
    const activity = new Activity(store, new Clock({ mode: 'frozen', value: 0 }, () => 0), expect.fail);
    const address = { client_url: 'http://127.0.0.1:9', client_token: `secret${odd}x` };
    const outgoing = new Outgoing(
      outgoingTerms,
      () => expect.fail('a connection was made'),
      () => 0,
    );
    const contracts = [judgedContract(loadContract('client', 'interface'))];
    const client = new ClientGateway(
      contracts,
      () => outgoing,
      activity,
      new SeededRandom('x'),
      () => address,
    );
    const reason = 'the header authorization has a character that no header can carry';
    expect(await client.getProfileAndPoints('CUST0001', '0'.repeat(32))).toEqual({ kind: 'no_answer', reason });
    await store.flush();
    expect(store.all('activity').map((entry) => 'notices' in entry && entry.notices)).toEqual([[reason]]);
  },
);
