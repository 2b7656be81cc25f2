/** Tests reading HARs, including those that omit parts of the traffic (OP-155). */
import { describe, expect, it } from 'vitest';
import { entry, har } from '../harness/captures.ts';
import { example } from '../harness/exchanges.ts';
import { checkText } from './statements/check.ts';

type Entry = ReturnType<typeof entry>;

const check = (...entries: readonly unknown[]) => checkText(har(entries));

const credit = () => entry(example('creditPoints', 200));
const listing = () => entry(example('listRewards', 200));
const pair = (name: string, value: string) => ({ name, value });

/** Returns a copy of an entry with its reply or request changed. */
const withReply = (of: Entry, response: object): Entry =>
  ({ ...of, response: { ...of.response, ...response } }) as Entry;
const withRequest = ({ request: { postData: _, ...request }, ...of }: Entry, changed: object): unknown => ({
  ...of,
  request: { ...request, ...changed },
});

/** The header in every reply of the sandbox. */
const traceHeaders = [pair('X-Trace-Id', 'f824cb2fee4f13e3011144791f0a08a5')];

const whole = { messages: 0, bodies: 0, headers: 0, credentials: 0, replies: 0 };
const oneBody = { ...whole, messages: 1, bodies: 1 };

/** Builds an entry whose reply body breaks the contract. */
function invalidEntry(): Entry {
  const draft = example('listRewards', 200);
  (draft.reply.body as { has_more: unknown }).has_more = 'no';
  return entry(draft);
}

describe('OP-155: a body that was not captured is a capture gap, not a finding', () => {
  it.each<[what: string, of: () => unknown]>([
    ['a reply of -1 bytes without text', () => withReply(listing(), { content: { size: -1, mimeType: 'x-unknown' } })],
    ['a reply of 500 bytes without text', () => withReply(listing(), { content: { size: 500 } })],
    ['a reply of 500 bytes with empty text', () => withReply(listing(), { content: { size: 500, text: '' } })],
    ['a reply with text null', () => withReply(listing(), { content: { size: 500, text: null } })],
    ['a reply without content', () => withReply(listing(), { content: undefined })],
    [
      'a reply whose headers announce more than 0 bytes',
      () =>
        withReply(listing(), {
          headers: [...traceHeaders, pair('Content-Length', '495')],
          content: { size: 0, text: '' },
        }),
    ],
    [
      'the beginning of a reply',
      () => withReply(listing(), { content: { size: 495, mimeType: 'application/json', text: '{"items":[{"id"' } }),
    ],
    ['a request of 126 bytes without text', () => withRequest(credit(), { bodySize: 126 })],
    ['a request of unknown size without text', () => withRequest(credit(), { bodySize: -1 })],
    [
      'a request without text whose headers announce a body, as Chromium stores a large one',
      () =>
        withRequest(credit(), {
          bodySize: 0,
          headers: [...credit().request.headers, pair('content-length', '70000')],
        }),
    ],
    [
      'a request with a file',
      () =>
        withRequest(credit(), {
          postData: { mimeType: 'multipart/form-data', params: [{ name: 'a', fileName: 'b' }] },
        }),
    ],
  ])('%s', async (_what, of) => {
    const { exchanges, incomplete, findings } = await check(of());
    expect({ exchanges, incomplete, findings }).toEqual({
      exchanges: { checked: 1, outside: 0, unreadable: 0 },
      incomplete: oneBody,
      findings: [],
    });
  });

  it('is reported once for the capture, with the number of messages', async () => {
    const without = withReply(listing(), { content: { size: -1 } });
    const { incomplete, findings } = await check(without, without, withRequest(credit(), { bodySize: 126 }), listing());
    expect({ incomplete, findings }).toEqual({ incomplete: { ...whole, messages: 3, bodies: 3 }, findings: [] });
  });

  it('does not stop the check of its headers', async () => {
    const page = { headers: [...traceHeaders, pair('content-type', 'text/html')], content: { size: -1 } };
    const { incomplete, findings } = await check(withReply(listing(), page));
    expect(incomplete).toEqual(oneBody);
    expect(findings).toMatchObject([
      { code: 'reply.media-type.undocumented', party: 'host', operation: 'listRewards' },
    ]);
  });

  it('does not stop the check of the rest of the exchange', async () => {
    const wrong = withReply(listing(), { status: 302, content: { size: -1 } });
    const { incomplete, findings } = await check({ ...wrong, request: { ...wrong.request, headers: [] } });
    expect(incomplete).toEqual(oneBody);
    expect(findings).toMatchObject([
      { code: 'request.credential.missing', party: 'caller' },
      { code: 'reply.status.undocumented', party: 'host' },
    ]);
  });
});

describe('OP-155: a captured body is checked', () => {
  it('an empty body is a finding where the contract requires one', async () => {
    for (const content of [{ size: 0, text: '' }, { size: 0 }]) {
      const { incomplete, findings } = await check(withReply(listing(), { headers: traceHeaders, content }));
      expect({ incomplete, codes: findings.map(({ code }) => code) }).toEqual({
        incomplete: whole,
        codes: ['reply.body.missing'],
      });
    }
    const { incomplete, findings } = await check(withRequest(credit(), { bodySize: 0 }));
    expect({ incomplete, codes: findings.map(({ code }) => code) }).toEqual({
      incomplete: whole,
      codes: ['request.body.missing'],
    });
  });

  it('a complete body that is not JSON is a finding', async () => {
    const text = '{"items":[{"id"';
    const content = { size: text.length, mimeType: 'application/json', text };
    const { incomplete, findings } = await check(withReply(listing(), { content }));
    expect(incomplete).toEqual(whole);
    expect(findings).toMatchObject([{ code: 'reply.body.malformed', party: 'host' }]);
  });

  it('a body that a tool masked, and so shortened, counts as complete', async () => {
    const { content } = listing().response;
    const { incomplete, findings } = await check(withReply(listing(), { content: { ...content, size: 9000 } }));
    expect({ incomplete, findings }).toEqual({ incomplete: whole, findings: [] });
  });

  it('a body in base64 is decoded, whether or not it was compressed in transit', async () => {
    const wrong = invalidEntry();
    const { text = '' } = wrong.response.content as { text?: string };
    const headers = [...wrong.response.headers, pair('content-encoding', 'gzip')];
    const content = { size: 20, compression: 475, text: Buffer.from(text).toString('base64'), encoding: 'base64' };
    expect((await check(withReply(wrong, { headers, content }))).findings).toMatchObject([
      { code: 'reply.body.type', pointer: '/body/has_more' },
    ]);
  });

  it('a form of which only the fields were captured is read', async () => {
    const draft = example('checkCode');
    const fields = [...new URLSearchParams(draft.request.body as string)].map(([name, value]) => pair(name, value));
    expect(fields.length).toBeGreaterThan(0);
    const form = entry(draft);
    const formEntry = (params: readonly object[]) =>
      withRequest(form, { postData: { mimeType: 'application/x-www-form-urlencoded; charset=utf-8', params } });
    expect(await check(formEntry(fields))).toMatchObject({ incomplete: whole, findings: [] });
    expect((await check(formEntry([pair('nonsense', '1')]))).findings).not.toEqual([]);
  });

  it('a query that the entry gives apart from the URL counts as part of the URL', async () => {
    const [address = ''] = listing().request.url.split('?');
    const of = withRequest(listing(), { url: address, queryString: [pair('limit', 'many')] });
    expect((await check(of)).findings).toMatchObject([{ code: 'request.query.type', pointer: '/query/limit' }]);
  });
});

describe('OP-155: a call without a reply', () => {
  it.each([
    ['status 0', { status: 0, headers: [], content: {} }],
    ['status -1', { status: -1, headers: [], content: { size: -1, mimeType: 'x-unknown' } }],
    ['no response', null],
  ])('%s: its request is checked', async (_what, response) => {
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
  it('that were not captured lead to no finding', async () => {
    const { incomplete, findings } = await check(
      withRequest(withReply(listing(), { headers: undefined }), { headers: undefined, bodySize: 0 }),
    );
    expect({ incomplete, findings }).toEqual({ incomplete: { ...whole, messages: 2, headers: 2 }, findings: [] });
  });

  it('are read in any letter case, without the pseudo-headers of HTTP/2', async () => {
    const { request } = credit();
    const headers = [
      pair(':authority', '127.0.0.1'),
      pair(':path', '/x'),
      ...request.headers.map(({ name, value }) => pair(name.toUpperCase(), value)),
    ];
    expect(await check({ ...credit(), request: { ...request, headers } })).toMatchObject({
      incomplete: whole,
      findings: [],
    });
  });

  it('a credential that the developer tools of Chromium omit is a capture gap, not a finding', async () => {
    const { request } = listing();
    const headers = request.headers.filter(({ name }) => name !== 'authorization');
    const without = { ...listing(), request: { ...request, headers } };
    expect((await check(without)).findings).toMatchObject([{ code: 'request.credential.missing' }]);
    const { incomplete, findings } = await check({ ...without, _initiator: { type: 'script' } });
    expect({ incomplete, findings }).toEqual({ incomplete: { ...whole, messages: 1, credentials: 1 }, findings: [] });
  });
});

it('OP-155: a reply that never has a body is no capture gap', async () => {
  const { response: _, ...head } = listing();
  const none = { headers: listing().response.headers, content: { size: -1 } };
  const asHead = { ...head, request: { ...head.request, method: 'HEAD' }, response: { ...none, status: 200 } };
  const deleted = withReply(entry(example('deleteWebhook', 204)), { content: { size: -1 } });
  expect(await check(asHead, deleted)).toMatchObject({ incomplete: whole, findings: [] });
});

it('a WebSocket, a tunnel and a data: URL are no API calls', async () => {
  const { request } = listing();
  const to = (url: string, method = 'GET') => ({ ...listing(), request: { ...request, url, method } });
  const entries = [
    to('ws://127.0.0.1:4010/rewards/v1/partner/rewards'),
    to('https://127.0.0.1:4010/', 'CONNECT'),
    to('data:text/css,a'),
  ];
  expect((await check(...entries)).exchanges).toEqual({ checked: 0, outside: 3, unreadable: 0 });
});
