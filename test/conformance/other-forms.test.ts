/** Tests the traffic check on access logs, Pact files and folders of captures (OP-156). */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { registry } from '../../sandbox/apis/registry.ts';
import { CaptureError, checkCapture } from '../../sandbox/conformance/capture.ts';
import type { ServerAddresses } from '../../sandbox/conformance/har.ts';
import { blocksOf } from '../harness/blocks.ts';
import { entry, har } from '../harness/captures.ts';
import { inProcess } from '../harness/command.ts';
import { type Draft, example, operations } from '../harness/exchanges.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { sharedChecker } from '../harness/proxy.ts';
import { root } from '../harness/sources.ts';
import { checkText } from './statements/check.ts';

const ownClient: ServerAddresses = { client: [new URL('http://127.0.0.1:8080')] };

const check = (text: string, addresses: ServerAddresses = {}) => checkText(text, { addresses });

/** Every documented exchange. None has a finding in any format. */
// Every site has a root, so calls to `/` are not attributed to the start page.
const documented = operations
  .flatMap(({ id, replies }) => replies.map(({ status }) => example(id, status)))
  .filter(({ server, path }) => server !== 'start' && !path.endsWith('.csv'));
const search = ({ query }: Draft) => (Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`);
const target = (draft: Draft) =>
  `${draft.server === 'webhook' ? '' : registry[draft.server].prefix}${draft.path}${search(draft)}`;
const text = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

/** Builds an exchange whose reply breaks the contract. */
function invalidExchange(): Draft {
  const draft = example('listRewards', 200);
  (draft.reply.body as { has_more: unknown }).has_more = 'no';
  return draft;
}

/** Access log lines for an exchange, with the field names of several tools. */
const lineForms: Readonly<Record<string, (draft: Draft) => object>> = {
  'request and response': (draft) => ({
    time: '2026-01-12T04:30:00.120Z',
    duration_ms: 20,
    request: {
      method: draft.method,
      url: target(draft),
      headers: draft.request.headers,
      body: draft.request.body ?? null,
    },
    response: { status: draft.reply.status, headers: draft.reply.headers, body: draft.reply.body ?? null },
  }),
  'pino-http with bodies': (draft) => ({
    level: 30,
    time: 1768192200120,
    msg: 'request completed',
    responseTime: 20,
    req: { method: draft.method, url: target(draft), headers: draft.request.headers, body: draft.request.body ?? '' },
    res: { statusCode: draft.reply.status, headers: draft.reply.headers, body: draft.reply.body ?? '' },
  }),
  'nginx, without headers': (draft) => ({
    time_iso8601: '2026-01-12T04:30:00+00:00',
    request_time: '0.020',
    request: `${draft.method} ${target(draft)} HTTP/1.1`,
    request_method: draft.method,
    request_uri: target(draft),
    status: String(draft.reply.status),
    request_body: text(draft.request.body) ?? '-',
    response_body: text(draft.reply.body) ?? '-',
  }),
};
const log = (drafts: readonly Draft[], form = 'request and response') =>
  drafts.map((draft) => `${JSON.stringify(lineForms[form]?.(draft))}\n`).join('');

describe('an access log', () => {
  it.each(Object.keys(lineForms))(
    '%s: every documented exchange is checked and clean, a wrong one is not',
    async (form) => {
      const report = await check(log(documented, form));
      expect(report).toMatchObject({
        source: 'access-log',
        exchanges: { checked: documented.length, outside: 0, unreadable: 0 },
        findings: [],
      });
      const wrong = await check(log([invalidExchange()], form));
      expect(wrong.findings).toMatchObject([{ code: 'reply.body.type', pointer: '/body/has_more' }]);
    },
  );

  it('refuses a line of more than 64 Mi characters, and reads no further', async () => {
    let read = 0;
    async function* endless() {
      yield log([invalidExchange()]);
      for (; ; read += 1) yield 'x'.repeat(1024 * 1024);
    }
    const settings = { version: '0.0.0', addresses: {} };
    const checking = checkCapture(Readable.from(endless()), sharedChecker(), settings);
    await expect(checking).rejects.toThrow('a line has more than 67108864 characters');
    expect(read).toBeLessThan(100);
  });

  it('accepts a call at the smallest date that JavaScript can represent', async () => {
    const [line = ''] = log([invalidExchange()]).split('\n');
    const report = await check(`${JSON.stringify({ ...JSON.parse(line), time: -8.64e15, duration_ms: 5 })}\n`);
    expect(report.exchanges).toMatchObject({ checked: 1, unreadable: 0 });
  });

  it('skips lines about anything else, and counts those that are no JSON', async () => {
    const started = '{"level":30,"msg":"listening on port 8080"}\n';
    const report = await check(
      `${started}${log([invalidExchange()])}\nsomething printed\n[1]\n${log([invalidExchange()]).slice(0, 40)}`,
    );
    expect(report.exchanges).toEqual({ checked: 1, outside: 0, unreadable: 3 });
    expect(report.findings).toMatchObject([{ code: 'reply.body.type' }]);
  });

  it('OP-155: a field that a line omits was not captured; null, an empty text and a dash are an empty body', async () => {
    const call = { method: 'POST', url: '/rewards/v1/company/auth', status: 200 };
    const lines = [
      call,
      { ...call, request_body: '-' },
      { ...call, request_body: null },
      { ...call, request_body: '' },
    ];
    const report = await check(lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(report.exchanges.checked).toBe(4);
    expect(report.incomplete).toMatchObject({ bodies: 5, headers: 8 });
    expect(report.findings).toMatchObject([{ code: 'request.body.missing', times: 3 }]);
  });

  it('a path belongs to the server that --server names, otherwise to the host of the line', async () => {
    const own = { method: 'POST', url: '/creditPoints', status: 500, host: 'points.internal' };
    const line = JSON.stringify(own);
    expect((await check(line, ownClient)).exchanges).toMatchObject({ checked: 1, outside: 0 });
    const unnamed = await check(line);
    expect(unnamed.exchanges).toMatchObject({ checked: 0, outside: 1 });
    expect(unnamed.unmatched).toMatchObject([{ address: 'http://points.internal', calls: 1, server: 'client' }]);
  });

  it('the line in the guide is checked against the client contract, and is clean', async () => {
    const blocks = blocksOf(join(root, 'docs/guides/checking-traffic.md')).filter(
      ({ language, text: line }) => language === 'json' && line.includes('"duration_ms"'),
    );
    expect(blocks).toHaveLength(1);
    const report = await check(blocks[0]?.text ?? '', ownClient);
    expect(report).toMatchObject({ source: 'access-log', exchanges: { checked: 1 }, findings: [] });
  });

  it.each([
    ['no call in it', '{"level":30,"msg":"started"}\n{"level":30,"msg":"stopped"}\n'],
    ['lists on its lines', '["GET","/rewards/v1/partner/rewards"]\n'],
  ])('a file with %s is refused', async (_what, content) => {
    await expect(check(content)).rejects.toThrow(CaptureError);
  });
});

/** Builds a Pact interaction. `headersOf` converts the headers of each message. */
function interaction(draft: Draft, query: unknown, headersOf: (headers: Record<string, string>) => object, v4 = false) {
  const message = ({ headers, body }: { readonly headers: Record<string, string>; readonly body: unknown }) => ({
    headers: headersOf(headers),
    ...(body !== undefined && { body: v4 ? { content: body, contentType: 'application/json', encoded: false } : body }),
  });
  return {
    ...(v4 && { type: 'Synchronous/HTTP', key: 'k1' }),
    description: 'a call',
    request: { method: draft.method, path: target({ ...draft, query: {} }), query, ...message(draft.request) },
    response: { status: draft.reply.status, ...message(draft.reply) },
  };
}
const listed = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));

/** Pact interactions for an exchange, by version of the format. */
const interactionForms: Readonly<Record<string, (draft: Draft) => object>> = {
  'version 2': (draft) => {
    const lowerCase = { ...draft, method: draft.method.toLowerCase() };
    return interaction(lowerCase, search(draft).slice(1), (headers) => headers);
  },
  'version 3': (draft) => ({
    ...interaction(draft, listed(draft.query), (headers) => headers),
    providerStates: [{ name: 'a customer' }],
  }),
  'version 4': (draft) => interaction(draft, listed(draft.query), listed, true),
};
const pact = (interactions: readonly unknown[]) =>
  JSON.stringify({ consumer: { name: 'app' }, provider: { name: 'client' }, interactions, metadata: {} }, null, 2);

describe('a Pact file', () => {
  it.each(Object.keys(interactionForms))(
    '%s: every documented exchange is checked and clean, a wrong one is not',
    async (form) => {
      const report = await check(pact(documented.map((draft) => interactionForms[form]?.(draft))));
      expect(report).toMatchObject({
        source: 'pact',
        exchanges: { checked: documented.length, outside: 0, unreadable: 0 },
        findings: [],
      });
      const wrong = await check(pact([interactionForms[form]?.(invalidExchange())]));
      expect(wrong.findings).toMatchObject([{ code: 'reply.body.type', pointer: '/body/has_more' }]);
    },
  );

  it('a reply may leave out what the consumer does not use; a request may leave out its credential only', async () => {
    const request = {
      method: 'POST',
      path: '/creditPoints',
      headers: { 'Content-Type': 'application/json' },
      body: {},
    };
    const report = await check(pact([{ description: 'x', request, response: { status: 200, body: {} } }]), ownClient);
    expect(report.findings.length).toBeGreaterThan(0);
    expect(report.findings.filter(({ code }) => code !== 'request.body.required')).toEqual([]);
    expect(report.incomplete).toMatchObject({ credentials: 1 });
  });

  it('each interaction has its own provider state, so interactions exercise no statement', async () => {
    const report = await check(pact(documented.map((draft) => interactionForms['version 3']?.(draft))));
    expect(report.statements.filter(({ state }) => state === 'kept' || state === 'violated')).toEqual([]);
  });

  it('messages are skipped, and a body in base64 is decoded', async () => {
    const message = { type: 'Asynchronous/Messages', description: 'x', contents: { content: 'x' } };
    const encoded = {
      content: Buffer.from('{"secret":5}').toString('base64'),
      contentType: 'application/json',
      encoded: 'base64',
    };
    const request = { method: 'POST', path: '/rewards/v1/company/auth', headers: {}, body: encoded };
    const call = { type: 'Synchronous/HTTP', description: 'x', request, response: { status: 200 } };
    const report = await check(pact([message, call]));
    expect(report.exchanges).toEqual({ checked: 1, outside: 1, unreadable: 0 });
    expect(report.findings).toMatchObject([{ code: 'request.body.type', pointer: '/body/secret' }]);
  });

  it.each([null, 5, {}, { request: null }, { request: { path: 5 } }, { request: { path: 'x', headers: [null, 5] } }])(
    'an interaction that is %j does not stop the check',
    async (interaction) => {
      const { exchanges } = await check(pact([interaction]));
      expect(exchanges.checked + exchanges.outside + exchanges.unreadable).toBe(1);
    },
  );
});

describe('check, with a folder', () => {
  /** Runs `check` on a folder with these files. */
  async function checkFolder(files: Readonly<Record<string, string>>) {
    const folder = join(await temporaryFolder(), 'captures');
    await mkdir(join(folder, 'pacts'), { recursive: true });
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    const report = join(folder, '..', 'report.json');
    const { code, stderr } = await inProcess(['check', folder, '--report', `json=${report}`]).ended;
    return { code, stderr, report: () => readFile(report, 'utf8').then((content) => JSON.parse(content)) };
  }

  it('it reads each capture in its own format into one report, and ignores other files', async () => {
    const { code, report } = await checkFolder({
      'a.har': har([entry(invalidExchange())]),
      'b.ndjson': log([invalidExchange()]),
      'pacts/app-client.json': pact([interactionForms['version 3']?.(invalidExchange())]),
      'notes.md': 'not a capture',
    });
    expect(code).toBe(1);
    expect(await report()).toMatchObject({
      source: 'folder',
      exchanges: { checked: 3, outside: 0, unreadable: 0 },
      findings: [{ code: 'reply.body.type', pointer: '/body/has_more', times: 3 }],
    });
  });

  it('it names a file that is not a capture, and reports a folder without captures', async () => {
    const broken = await checkFolder({ 'a.har': har([]), 'b.json': '{"openapi":"3.1.0"}' });
    expect(broken).toMatchObject({ code: 3, stderr: expect.stringMatching(/captures\/b\.json: it is neither a HAR/) });
    const none = await checkFolder({ 'notes.md': 'nothing' });
    const message = 'Cannot check the capture: the folder has no file that ends in .har, .json, .jsonl, .ndjson, .log';
    expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
  });
});
