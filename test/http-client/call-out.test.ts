/** Tests that an outgoing call is sent under its trace, checked, and logged once, regardless of its outcome. */
import { expect, it, onTestFinished } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { type ActivityCollections, activitySchema } from '../../sandbox/activity-log/stored-log.ts';
import { type CallOut, callOut } from '../../sandbox/http-client/call-out.ts';
import { circuitLimits } from '../../sandbox/http-client/circuit.ts';
import type { Connector } from '../../sandbox/http-client/connecting.ts';
import { Outgoing, type OutgoingTerms, outgoingTerms, ownTerms } from '../../sandbox/http-client/outgoing.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { SeededRandom } from '../../sandbox/runtime/ids.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { httpServer } from '../harness/http-server.ts';
import { testSpans } from '../harness/spans.ts';
import { loopback } from './loopback.ts';

const trace = 'a'.repeat(32);

/** The terms of outgoing calls, and the headers of the replies. */
interface Setting {
  readonly terms: OutgoingTerms;
  readonly replyHeaders: Readonly<Record<string, string>>;
}

/** Calls a server that answers everything with this status and body. Returns the outcome, the received requests and the log. */
async function makeCall(status: number, body: string, changes: Partial<CallOut> = {}, setting: Partial<Setting> = {}) {
  const { terms = outgoingTerms, replyHeaders = {} } = setting;
  const requests: string[] = [];
  const { origin } = await httpServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.traceparent} ${request.headers['x-own']}`);
    response.writeHead(status, replyHeaders).end(body);
  });
  const url = `${origin}/points`;
  const outgoing = new Outgoing(terms, loopback, () => 0);
  onTestFinished(() => outgoing.close());
  const store = openMemoryStore<ActivityCollections>(activitySchema);
  const activity = new Activity(store, new Clock({ mode: 'frozen', value: 0 }, () => 0), expect.fail);
  const call: CallOut = {
    operation: 'readPoints',
    party: 'client',
    trace,
    method: 'POST',
    url,
    request: { uid: 'CUST0001', otp: '1' },
    headers: { 'x-own': 'yes' },
    outgoing: () => outgoing,
    judged: { by: 'trusted' },
    refuses: () => true,
    message: () => undefined,
    ...changes,
  };
  const outcome = await callOut({ activity, spans: testSpans() }, call);
  await store.flush();
  return { outcome, requests, log: activity.after(0), url };
}

const span = new SeededRandom('spans').hex(8);

it('a call carries its own headers and its trace, and is logged with secrets masked', async () => {
  const { outcome, requests, log, url } = await makeCall(200, '{"points":5,"token":"canary"}');
  expect(outcome).toEqual({ kind: 'accepted', status: 200, body: { points: 5, token: 'canary' } });
  expect(requests).toEqual([`POST /points 00-${trace}-${span}-01 yes`]);
  expect(log).toEqual([
    {
      began: '1970-01-01T00:00:00.000Z',
      span,
      seq: 1,
      at: '1970-01-01T00:00:00.000Z',
      kind: 'call_out',
      trace,
      party: 'client',
      method: 'POST',
      url,
      operation: 'readPoints',
      request: { uid: 'CUST0001', otp: 'string of 1 (masked)' },
      status: 200,
      reply: { points: 5, token: 'string of 6 (masked)' },
      notices: [],
      uid: 'CUST0001',
      redeem_codes: [],
      request_headers: {
        'content-type': 'application/json',
        'x-own': 'yes',
        traceparent: `00-${trace}-${span}-01`,
      },
      reply_headers: { 'content-length': '29', 'transfer-encoding': 'chunked' },
    },
  ]);
});

it.each([
  ['a reply that cannot be read', {}, 'Unexpected token \'<\', "<html>" is not valid JSON', 1],
  ['an unsendable header', { headers: { 'x-own': 'a\nb' } }, 'the header x-own contains an invalid character', 0],
])('%s counts as no answer, logged once', async (_, changes, reason, calls) => {
  const { outcome, requests, log } = await makeCall(200, '<html>', changes);
  expect(outcome).toEqual({ kind: 'no_answer', status: null, reason });
  expect(requests).toHaveLength(calls);
  expect(log).toMatchObject([{ status: null, reply: null, notices: [reason] }]);
  expect(log).toHaveLength(1);
});

it.each(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM'])(
  'OP-150: a call that finds no connection because of %s blames this process, and opens no circuit',
  async (code) => {
    const short = (_: unknown, done: (error: Error, socket: null) => void) => {
      queueMicrotask(() => done(Object.assign(new Error('connect'), { code }), null));
    };
    const outgoing = new Outgoing(outgoingTerms, short as Connector, () => 0);
    onTestFinished(() => outgoing.close());
    for (let time = 0; time <= circuitLimits.failures; time += 1) {
      const { outcome } = await makeCall(200, '', { url: 'http://127.0.0.1:9/points', outgoing: () => outgoing });
      expect(outcome).toEqual({ kind: 'no_answer', status: null, reason: code, ours: 'not_sent' });
    }
  },
);

const unavailable = { kind: 'no_answer', status: null, reason: 'the sandbox cannot serve this call now' } as const;

it.each([
  ['of the sandbox itself is its own refusal', ownTerms, {}, { ...unavailable, ours: 'broken_off' }],
  ['that a fault asked for is a reply', ownTerms, { 'X-Fault': 'FLT-000001' }, { kind: 'refused', status: 503 }],
  ['of another server is a reply', outgoingTerms, {}, { kind: 'refused', status: 503 }],
] as const)('OP-150: a 503 %s', async (_, terms, replyHeaders, expected) => {
  const { outcome } = await makeCall(503, '{}', { message: () => 'no' }, { terms, replyHeaders });
  expect(outcome).toMatchObject(expected);
});

it('OP-150: a call whose headers cannot be made blames this process', async () => {
  const headers = () => Promise.reject(new Error('no module'));
  const { outcome, requests } = await makeCall(200, '', { headers });
  expect([outcome, requests]).toEqual([{ kind: 'no_answer', status: null, reason: 'no module', ours: 'not_sent' }, []]);
});

it('a call that is judged by status logs nothing of its reply', async () => {
  const { outcome, log } = await makeCall(500, 'canary', { judged: { by: 'status' }, refuses: () => false });
  expect(outcome).toEqual({ kind: 'no_answer', status: 500, reason: 'status 500' });
  expect(log).toMatchObject([{ status: 500, reply: null, notices: [] }]);
});
