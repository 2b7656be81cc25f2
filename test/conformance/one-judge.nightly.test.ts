/**
 * One judge (OP-151): the same exchange gives the same findings, whoever asks. Every exchange of a corpus goes through
 * the proxy in both modes, a HAR, the log of a sandbox that served it, an export of that log, the data of the
 * dashboard's page, and, where the client hosts the operation, a call of the platform's. Where a path cannot see what
 * is wrong, `exceptions` says why, and that it does not.
 */
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { registry } from '../../sandbox/apis/registry.ts';
import { type Books, booksSpec } from '../../sandbox/assembly/books.ts';
import { ActivityChecker } from '../../sandbox/conformance/activity-checker.ts';
import { ActivityFindings } from '../../sandbox/conformance/activity-findings.ts';
import { checkCapture } from '../../sandbox/conformance/capture.ts';
import type { Finding } from '../../sandbox/conformance/finding.ts';
import { judgedContract } from '../../sandbox/conformance/reply-judge.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import { Activity, entriesAfter } from '../../sandbox/runtime/activity.ts';
import type { ActivityEntry } from '../../sandbox/runtime/activity-entry.ts';
import { localAddresses } from '../../sandbox/runtime/address.ts';
import { callOut } from '../../sandbox/runtime/call-out.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { guarded, systemResolve } from '../../sandbox/runtime/connecting.ts';
import { Outgoing, outgoingTerms } from '../../sandbox/runtime/outgoing.ts';
import { SeededRandom } from '../../sandbox/runtime/random.ts';
import { realTimer } from '../../sandbox/runtime/timer.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { type Draft, example, exchange, operations } from '../harness/exchanges.ts';
import { nowhere } from '../harness/nowhere.ts';
import { proxyTo, sharedChecker } from '../harness/proxy.ts';
import { entry, har } from './captures.ts';
import { type Script, scriptedSandbox, scriptedServer, send, targetOf } from './scripted.ts';
import { violations } from './violations.ts';

type KindsOf = (items: readonly Finding[]) => readonly { readonly finding: Finding }[];
/** What the dashboard makes of findings: a module of its page. */
const page = new URL('../../sandbox/web/assets/dashboard/kinds.js', import.meta.url);
const { kindsOf } = (await import(page.href)) as { readonly kindsOf: KindsOf };

/** What has to be the same on every path. */
type Said = Pick<Finding, 'code' | 'pointer' | 'basis' | 'severity' | 'expected' | 'actual'>;
type Path = 'proxy' | 'enforcing proxy' | 'HAR' | 'log' | 'export' | 'dashboard' | 'call' | 'log of the call';

/** An exchange of the corpus, made anew for each path. */
interface Sample {
  readonly title: string;
  readonly make: () => Draft;
}

/** Where a path cannot see what another sees. */
interface Exception {
  readonly paths: readonly Path[];
  readonly why: string;
  readonly hides: (found: Said, draft: Draft) => boolean;
}

const inLog: readonly Path[] = ['log', 'export', 'dashboard'];

const exceptions: readonly Exception[] = [
  {
    paths: inLog,
    why: 'the sandbox puts X-Trace-Id on each of its replies, in place of one that lacks or is malformed',
    hides: ({ pointer }) => pointer === '/headers/x-trace-id',
  },
  {
    paths: ['proxy', 'enforcing proxy', ...inLog],
    why: 'HTTP carries no body in a 204: nobody can send one',
    hides: ({ code }, { reply }) => reply.status === 204 && code === 'reply.body.undocumented',
  },
  {
    paths: ['HAR'],
    why: 'a HAR holds bodies without their coding',
    hides: ({ code }) => code === 'reply.body.undecodable',
  },
  {
    paths: ['export'],
    why: 'an export has no headers',
    hides: ({ code, pointer }) => pointer.startsWith('/headers/') || code.includes('.credential.'),
  },
  {
    paths: ['export'],
    why: 'an export tells how large a body was that could not be read, not what it was',
    hides: ({ code }) => /\.body\.(malformed|undecodable)$/.test(code),
  },
  {
    paths: ['export'],
    why: 'an export keeps no page and no form as it was, so that nobody knows whether one was there',
    hides: ({ code, expected }, { request }) =>
      (code.startsWith('request.body.') && typeof request.body === 'string') ||
      (code.endsWith('.body.missing') && !expected.includes('application/json')),
  },
  {
    paths: ['export'],
    why: 'of a masked value an export tells type and length: not whether it has its pattern',
    hides: ({ code, actual }) => code.endsWith('.pattern') && actual.includes('(masked'),
  },
  {
    paths: ['call', 'log of the call'],
    why: 'a reply that cannot be decoded counts as none, and the log tells why no reply came',
    hides: ({ code }) => code === 'reply.body.undecodable',
  },
];

/** Every exchange: each request and reply that the contracts have, right, and wrong in one way each. */
const corpus: readonly Sample[] = [
  ...operations
    .flatMap(({ id, replies }) => replies.map(({ status }) => [id, status] as const))
    .map(([id, status]): Sample => ({ title: `${id} ${status}, right`, make: () => example(id, status) })),
  ...violations.map(([id, status, title, spoil]): Sample => {
    const make = () => {
      const draft = example(id, status);
      spoil(draft);
      return draft;
    };
    return { title: `${id} ${status}: ${title}`, make };
  }),
].filter(({ make }) => served(make()));

/** The parties' operations: reading the sandbox's own pages and control API is not in its log. */
function served({ server }: Draft): boolean {
  return server !== 'webhook' && registry[server].host !== 'sandbox';
}

const started = { mode: 'frozen', value: 0 } as const;
const thread = new ActivityChecker((message) => expect.fail(message));
afterAll(() => thread.close());

function logIn() {
  const store = openMemoryStore<Books>(booksSpec);
  const activity = new Activity(store, new Clock(started, () => 0), (message) => expect.fail(message));
  return { store, activity };
}

/** What the control API tells of a log, by the number of the entry, with the entries. */
async function told({ store, activity }: ReturnType<typeof logIn>) {
  await store.flush();
  const log = { store, wireOf: (entry: ActivityEntry) => activity.wireOf(entry) };
  const findings = new ActivityFindings(log, realTimer, thread);
  const gone = new AbortController().signal;
  const list = await findings.list({}, { seconds: 60, gone, aside: (waiting) => waiting });
  findings.stop();
  if ('kind' in list) throw new Error(list.kind);
  expect(list.checked_to).toBe(list.newest);
  const entries = entriesAfter(store, 0);
  return entries.map((kept) => ({ kept, items: list.items.filter(({ seq }) => seq === kept.seq) }));
}

function said(findings: readonly Said[]): Said[] {
  return findings
    .filter(({ severity }) => severity !== 'notice')
    .map(({ code, pointer, basis, severity, expected, actual }) => ({
      ...{ code, pointer, basis, severity },
      ...{ expected, actual },
    }))
    .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** What everybody has to say of an exchange, but for what a path cannot see. */
async function verdict(draft: Draft, path: Path): Promise<Said[]> {
  const checker = await sharedChecker();
  const all = said(checker.check(exchange(draft)).findings);
  const blind = exceptions.filter(({ paths }) => paths.includes(path));
  return all.filter((found) => !blind.some(({ hides }) => hides(found, draft)));
}

/** What a path said of each exchange, held against what it has to say. */
async function compare(path: Path, samples: readonly Sample[], got: readonly (readonly Said[])[]) {
  const wanted = await Promise.all(samples.map(({ make }) => verdict(make(), path)));
  const table = (all: readonly (readonly Said[])[]) =>
    Object.fromEntries(samples.map(({ title }, index) => [title, all[index] ?? 'nothing']));
  expect(table(got.map(said))).toEqual(table(wanted));
}

async function checked(capture: string): Promise<readonly Finding[]> {
  const options = { version: '0.0.0', addresses: {} };
  return (await checkCapture(Readable.from([capture]), await sharedChecker(), options)).report.findings;
}

it("OP-151: the corpus has at least 150 exchanges, of all parties' APIs, a third of them wrong in one way", async () => {
  expect(corpus.length).toBeGreaterThanOrEqual(300);
  const drafts = corpus.map(({ make }) => make());
  expect([...new Set(drafts.map(({ server }) => server))].sort()).toEqual([
    'client',
    'general',
    'microsite',
    'portal',
    'rewards',
  ]);
  const checker = await sharedChecker();
  const wrong = drafts.filter((draft) => said(checker.check(exchange(draft)).findings).length > 0);
  expect(wrong.length).toBeGreaterThanOrEqual(90);
});

describe('OP-151: every exchange of the corpus gives the same findings', () => {
  it.each(['report', 'enforce'] as const)('through the proxy, mode %s', { timeout: 120_000 }, async (mode) => {
    const script: Script = { now: example('companyAuth', 200) };
    const upstream = await scriptedServer(script);
    const got: (readonly Said[])[] = [];
    for (const { make } of corpus) {
      script.now = make();
      const proxy = await proxyTo(upstream, { mode, failOn: 'warning' });
      await send(new URL(proxy.url), script.now);
      await proxy.close();
      got.push(proxy.book.report.findings);
    }
    // What is refused goes no further, so that there is no reply to judge: each exchange is wrong in one way only.
    await compare(mode === 'report' ? 'proxy' : 'enforcing proxy', corpus, got);
  });

  it('in a HAR', async () => {
    const got = await Promise.all(corpus.map(({ make }) => checked(har([entry(make())]))));
    await compare('HAR', corpus, got);
  });

  it('in the log of the sandbox that served it, in an export of that log, and on the dashboard', {
    timeout: 120_000,
  }, async () => {
    const script: Script = { now: example('companyAuth', 200) };
    const log = logIn();
    const origin = await scriptedSandbox(script, log.activity);
    for (const { make } of corpus) {
      script.now = make();
      await send(origin, script.now);
    }
    const calls = await told(log);
    expect(calls).toHaveLength(corpus.length);
    await compare(
      'log',
      corpus,
      calls.map(({ items }) => items),
    );
    const shown = calls.map(({ items }) =>
      kindsOf(items.map((item) => ({ ...item, times: 1 }))).map(({ finding }) => finding),
    );
    await compare('dashboard', corpus, shown);
    const exported = calls.map(({ kept }) => checked(JSON.stringify({ items: [kept] })));
    await compare('export', corpus, await Promise.all(exported));
  });

  it('in a reply to a call of the platform: its deviations, and the log of the call', {
    timeout: 120_000,
  }, async () => {
    const hosted = new Set(
      loadClient().flatMap(({ operations: known }) => known.map(({ operationId }) => operationId)),
    );
    const checker = await sharedChecker();
    // The platform sends what its own types allow: a wrong request is somebody else's.
    const samples = corpus.filter(({ title, make }) => {
      const [id = ''] = title.split(' ');
      const found = checker.check(exchange(make())).findings;
      return hosted.has(id) && make().server === 'client' && found.every(({ direction }) => direction === 'reply');
    });
    expect(samples.length).toBeGreaterThanOrEqual(30);
    const { entries, calls } = await called(samples);
    await compare(
      'call',
      samples,
      entries.map((kept) => ('deviations' in kept ? (kept.deviations ?? []) : [])),
    );
    await compare(
      'log of the call',
      samples,
      calls.map(({ items }) => items),
    );
  });
});

it.each(exceptions.map(({ why, paths, hides }) => [why, paths, hides] as const))(
  'OP-151: there is an exchange in which a path does not see it, since %s',
  async (_why, _paths, hides) => {
    const checker = await sharedChecker();
    const hidden = corpus.filter(({ make }) => {
      const draft = make();
      return said(checker.check(exchange(draft)).findings).some((found) => hides(found, draft));
    });
    expect(hidden).not.toEqual([]);
  },
);

function loadClient() {
  return ['client', 'auth', 'v2-client'].map((name) => judgedContract(loadContract(name, 'interface')));
}

/** Has the platform's caller make the call of each exchange, to a server that replies as the exchange has it. */
async function called(samples: readonly Sample[]) {
  const script: Script = { now: example('creditPoints', 200) };
  const { origin } = await scriptedServer(script);
  const log = logIn();
  const connect = guarded({ allowed: localAddresses, resolve: systemResolve, timeout: 3_000, own: nowhere });
  const outgoing = new Outgoing({ ...outgoingTerms, circuits: false }, connect, () => 0);
  const random = new SeededRandom('one judge');
  const contracts = loadClient();
  for (const { title, make } of samples) {
    const draft = make();
    script.now = draft;
    const [operation = ''] = title.split(' ');
    const contract = contracts.find((known) => known.operations.some(({ operationId }) => operationId === operation));
    if (contract === undefined) throw new Error(`no contract has ${operation}`);
    const { method, request } = draft;
    const url = `${origin}${targetOf(draft).replace('/client', '')}`;
    const body = request.body ?? null;
    const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
    await callOut(
      { activity: log.activity, random },
      {
        ...{ operation, party: 'client', trace: random.hex(16), method, url, request: body },
        headers: Object.fromEntries(headers),
        outgoing: () => outgoing,
        judged: { by: 'strict', contract, read: false },
        refuses: () => true,
        message: () => undefined,
      },
    );
  }
  await outgoing.close();
  const calls = await told(log);
  return { entries: calls.map(({ kept }) => kept), calls };
}
