/** What a HAR holds, and what follows where it holds less than went over the wire (OP-155). */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { checkCapture } from '../../sandbox/conformance/capture.ts';
import { entry, har } from '../harness/captures.ts';
import { example } from '../harness/exchanges.ts';
import { sharedChecker } from '../harness/proxy.ts';

type Entry = ReturnType<typeof entry>;

async function check(...entries: readonly unknown[]) {
  const source = Readable.from([har(entries)]);
  return (await checkCapture(source, sharedChecker(), { version: '0.0.0', addresses: {} })).report;
}

const credit = () => entry(example('creditPoints', 200));
const listing = () => entry(example('listRewards', 200));
const named = (name: string, value: string) => ({ name, value });

/** An entry whose reply, or request, is kept otherwise. */
const replied = (of: Entry, response: object): Entry => ({ ...of, response: { ...of.response, ...response } }) as Entry;
const asked = ({ request: { postData: _, ...request }, ...of }: Entry, changed: object): unknown => ({
  ...of,
  request: { ...request, ...changed },
});

/** A header that our replies always have. */
const traced = [named('X-Trace-Id', 'f824cb2fee4f13e3011144791f0a08a5')];

const whole = { messages: 0, bodies: 0, headers: 0, credentials: 0, replies: 0 };
const oneBody = { ...whole, messages: 1, bodies: 1 };

/** A reply that breaks the contract, and its body. */
function spoilt(): Entry {
  const draft = example('listRewards', 200);
  (draft.reply.body as { has_more: unknown }).has_more = 'no';
  return entry(draft);
}

describe('OP-155: a body that was not captured is told, and leads to no finding', () => {
  it.each<[what: string, of: () => unknown]>([
    ['a reply of -1 bytes without text', () => replied(listing(), { content: { size: -1, mimeType: 'x-unknown' } })],
    ['a reply of 500 bytes without text', () => replied(listing(), { content: { size: 500 } })],
    ['a reply of 500 bytes with empty text', () => replied(listing(), { content: { size: 500, text: '' } })],
    ['a reply with text null', () => replied(listing(), { content: { size: 500, text: null } })],
    ['a reply without content', () => replied(listing(), { content: undefined })],
    [
      'a reply whose headers announce more than 0 bytes',
      () =>
        replied(listing(), { headers: [...traced, named('Content-Length', '495')], content: { size: 0, text: '' } }),
    ],
    [
      'the beginning of a reply',
      () => replied(listing(), { content: { size: 495, mimeType: 'application/json', text: '{"items":[{"id"' } }),
    ],
    ['a request of 126 bytes without text', () => asked(credit(), { bodySize: 126 })],
    ['a request of unknown size without text', () => asked(credit(), { bodySize: -1 })],
    [
      'a request without text whose headers announce it, as Chromium keeps a large one',
      () =>
        asked(credit(), {
          bodySize: 0,
          headers: [...credit().request.headers, named('content-length', '70000')],
        }),
    ],
    [
      'a request with a file',
      () => asked(credit(), { postData: { mimeType: 'multipart/form-data', params: [{ name: 'a', fileName: 'b' }] } }),
    ],
  ])('%s', async (_what, of) => {
    const { exchanges, incomplete, findings } = await check(of());
    expect({ exchanges, incomplete, findings }).toEqual({
      exchanges: { checked: 1, outside: 0, unreadable: 0 },
      incomplete: oneBody,
      findings: [],
    });
  });

  it('is told once for the capture, with the number of messages', async () => {
    const without = replied(listing(), { content: { size: -1 } });
    const { incomplete, findings } = await check(without, without, asked(credit(), { bodySize: 126 }), listing());
    expect({ incomplete, findings }).toEqual({ incomplete: { ...whole, messages: 3, bodies: 3 }, findings: [] });
  });

  it('what its headers say is judged all the same', async () => {
    const page = { headers: [...traced, named('content-type', 'text/html')], content: { size: -1 } };
    const { incomplete, findings } = await check(replied(listing(), page));
    expect(incomplete).toEqual(oneBody);
    expect(findings).toMatchObject([
      { code: 'reply.media-type.undocumented', party: 'host', operation: 'listRewards' },
    ]);
  });

  it('the rest of the exchange is judged all the same', async () => {
    const wrong = replied(listing(), { status: 302, content: { size: -1 } });
    const { incomplete, findings } = await check({ ...wrong, request: { ...wrong.request, headers: [] } });
    expect(incomplete).toEqual(oneBody);
    expect(findings).toMatchObject([
      { code: 'request.credential.missing', party: 'caller' },
      { code: 'reply.status.undocumented', party: 'host' },
    ]);
  });
});

describe('OP-155: a body that was captured is judged', () => {
  it('an empty one is none, and so a finding where the contract asks for one', async () => {
    for (const content of [{ size: 0, text: '' }, { size: 0 }]) {
      const { incomplete, findings } = await check(replied(listing(), { headers: traced, content }));
      expect({ incomplete, codes: findings.map(({ code }) => code) }).toEqual({
        incomplete: whole,
        codes: ['reply.body.missing'],
      });
    }
    const { incomplete, findings } = await check(asked(credit(), { bodySize: 0 }));
    expect({ incomplete, codes: findings.map(({ code }) => code) }).toEqual({
      incomplete: whole,
      codes: ['request.body.missing'],
    });
  });

  it('one that is not JSON, and as long as it was, is a finding', async () => {
    const text = '{"items":[{"id"';
    const content = { size: text.length, mimeType: 'application/json', text };
    const { incomplete, findings } = await check(replied(listing(), { content }));
    expect(incomplete).toEqual(whole);
    expect(findings).toMatchObject([{ code: 'reply.body.malformed', party: 'host' }]);
  });

  it('one that a tool masked is shorter than it was, and whole', async () => {
    const { content } = listing().response;
    const { incomplete, findings } = await check(replied(listing(), { content: { ...content, size: 9000 } }));
    expect({ incomplete, findings }).toEqual({ incomplete: whole, findings: [] });
  });

  it('what is base64 there, and what was compressed on its way, is decoded', async () => {
    const wrong = spoilt();
    const { text = '' } = wrong.response.content as { text?: string };
    const headers = [...wrong.response.headers, named('content-encoding', 'gzip')];
    const content = { size: 20, compression: 475, text: Buffer.from(text).toString('base64'), encoding: 'base64' };
    expect((await check(replied(wrong, { headers, content }))).findings).toMatchObject([
      { code: 'reply.body.type', pointer: '/body/has_more' },
    ]);
  });

  it('a form is read where only its fields are kept', async () => {
    const draft = example('checkCode');
    const fields = [...new URLSearchParams(draft.request.body as string)].map(([name, value]) => named(name, value));
    expect(fields.length).toBeGreaterThan(0);
    const form = entry(draft);
    const kept = (params: readonly object[]) =>
      asked(form, { postData: { mimeType: 'application/x-www-form-urlencoded; charset=utf-8', params } });
    expect(await check(kept(fields))).toMatchObject({ incomplete: whole, findings: [] });
    expect((await check(kept([named('nonsense', '1')]))).findings).not.toEqual([]);
  });

  it('a query that stands beside the address only is part of it', async () => {
    const [address = ''] = listing().request.url.split('?');
    const of = asked(listing(), { url: address, queryString: [named('limit', 'many')] });
    expect((await check(of)).findings).toMatchObject([{ code: 'request.query.type', pointer: '/query/limit' }]);
  });
});

describe('OP-155: a call without a reply', () => {
  it.each([
    ['status 0', { status: 0, headers: [], content: {} }],
    ['status -1', { status: -1, headers: [], content: { size: -1, mimeType: 'x-unknown' } }],
    ['no response', null],
  ])('%s: its request is judged', async (_what, response) => {
    const wrong = example('creditPoints', 200);
    (wrong.request.body as { points: unknown }).points = 24;
    const { exchanges, incomplete, findings } = await check({ ...entry(wrong), response }, { ...credit(), response });
    expect({ exchanges, incomplete }).toEqual({
      exchanges: { checked: 2, outside: 0, unreadable: 0 },
      incomplete: { ...whole, messages: 2, replies: 2 },
    });
    expect(findings).toMatchObject([{ code: 'request.body.type', party: 'caller', status: null, times: 1 }]);
  });
});

describe('OP-155: headers', () => {
  it('that were not kept lead to no finding', async () => {
    const { incomplete, findings } = await check(
      asked(replied(listing(), { headers: undefined }), { headers: undefined, bodySize: 0 }),
    );
    expect({ incomplete, findings }).toEqual({ incomplete: { ...whole, messages: 2, headers: 2 }, findings: [] });
  });

  it('are read in any case, and without those that HTTP/2 writes for the request line', async () => {
    const { request } = credit();
    const headers = [
      named(':authority', '127.0.0.1'),
      named(':path', '/x'),
      ...request.headers.map(({ name, value }) => named(name.toUpperCase(), value)),
    ];
    expect(await check({ ...credit(), request: { ...request, headers } })).toMatchObject({
      incomplete: whole,
      findings: [],
    });
  });

  it('a credential that the developer tools of Chromium leave out is lacking, not missing', async () => {
    const { request } = listing();
    const headers = request.headers.filter(({ name }) => name !== 'authorization');
    const without = { ...listing(), request: { ...request, headers } };
    expect((await check(without)).findings).toMatchObject([{ code: 'request.credential.missing' }]);
    const { incomplete, findings } = await check({ ...without, _initiator: { type: 'script' } });
    expect({ incomplete, findings }).toEqual({ incomplete: { ...whole, messages: 1, credentials: 1 }, findings: [] });
  });
});

it('OP-155: a reply that has no body lacks none', async () => {
  const { response: _, ...head } = listing();
  const none = { headers: listing().response.headers, content: { size: -1 } };
  const asHead = { ...head, request: { ...head.request, method: 'HEAD' }, response: { ...none, status: 200 } };
  const deleted = replied(entry(example('deleteWebhook', 204)), { content: { size: -1 } });
  expect(await check(asHead, deleted)).toMatchObject({ incomplete: whole, findings: [] });
});

it('a WebSocket, a tunnel and a file of the browser are no calls of an API', async () => {
  const { request } = listing();
  const to = (url: string, method = 'GET') => ({ ...listing(), request: { ...request, url, method } });
  const entries = [
    to('ws://127.0.0.1:4010/rewards/v1/partner/rewards'),
    to('https://127.0.0.1:4010/', 'CONNECT'),
    to('data:text/css,a'),
  ];
  expect((await check(...entries)).exchanges).toEqual({ checked: 0, outside: 3, unreadable: 0 });
});
