/**
 * One validator (OP-151): the same exchange gives the same findings, whoever asks. Every exchange of a corpus goes through
 * the proxy in both modes and a HAR; those of the parties also through the log of a sandbox that served it, an export of that log,
 * and the data of the dashboard's page; those of the client's operations also through a call of the platform's and of a
 * certification's. Where a path cannot see what
 * is wrong, `exceptions` says why, and that it does not.
 */
import { Readable } from 'node:stream';
import { buildConnector } from 'undici';
import { describe, expect, it } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { registry } from '../../sandbox/apis/registry.ts';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { Partner } from '../../sandbox/certification/partner.ts';
import { ActivityFindings } from '../../sandbox/conformance/activity-findings.ts';
import { checkCapture } from '../../sandbox/conformance/capture.ts';
import type { Finding } from '../../sandbox/conformance/finding.ts';
import { judgedContract, logValidator } from '../../sandbox/conformance/own-traffic.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import { callOut } from '../../sandbox/http-client/call-out.ts';
import { guardedConnector, systemResolve } from '../../sandbox/http-client/connecting.ts';
import { Outgoing, outgoingTerms } from '../../sandbox/http-client/outgoing.ts';
import { localAddresses } from '../../sandbox/runtime/address.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { SeededRandom } from '../../sandbox/runtime/random.ts';
import { realTimer } from '../../sandbox/runtime/timer.ts';
import { Waiting } from '../../sandbox/runtime/waiting.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { entry, har } from '../harness/captures.ts';
import { type Draft, example, exchange, operations } from '../harness/exchanges.ts';
import { nowhere } from '../harness/nowhere.ts';
import { proxyTo, sharedChecker } from '../harness/proxy.ts';
import { testSpans } from '../harness/spans.ts';
import { violations } from '../harness/violations.ts';
import { bytesOf, type Script, scriptedSandbox, scriptedServer, send, targetOf } from './scripted.ts';

type KindsOf = (items: readonly Finding[]) => readonly { readonly finding: Finding }[];
/** What the dashboard makes of findings: a module of its page. */
const page = new URL('../../sandbox/dashboard/browser/kinds.ts', import.meta.url);
const { kindsOf } = (await import(page.href)) as { readonly kindsOf: KindsOf };

/** What has to be the same on every path. */
type Said = Pick<Finding, 'code' | 'pointer' | 'basis' | 'severity' | 'expected' | 'actual'>;
type Path =
  | 'certification'
  | 'proxy'
  | 'enforcing proxy'
  | 'HAR'
  | 'log'
  | 'export'
  | 'dashboard'
  | 'call'
  | 'log of the call';

/** An exchange of the corpus, made again for each path. */
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

/** Rules that a response breaks because the server accepts a wrong request. */
const acceptedWrong = new Set(['reply.rule.invalid-type-refused', 'reply.rule.incomplete-record-refused']);
const inLog: readonly Path[] = ['log', 'export', 'dashboard'];

const exceptions: readonly Exception[] = [
  {
    paths: inLog,
    why: 'the sandbox puts X-Trace-Id on each of its replies, in place of one that lacks or is malformed',
    hides: ({ pointer }) => pointer === '/headers/x-trace-id',
  },
  {
    paths: ['proxy', 'enforcing proxy', 'certification', ...inLog],
    why: 'HTTP carries no body in a 204: nobody can send one',
    hides: ({ code }, { reply }) => reply.status === 204 && code === 'reply.body.undocumented',
  },
  {
    paths: ['proxy', 'enforcing proxy'],
    why: 'the proxy refuses a target that cannot be decoded, and passes it on to nobody',
    hides: ({ code }) => code === 'request.url.malformed',
  },
  {
    paths: ['enforcing proxy'],
    why: 'a wrong request goes no further, so nothing shows that the server would have accepted it',
    hides: ({ code }) => acceptedWrong.has(code),
  },
  {
    paths: ['call'],
    why: 'a caller reads the response by its contract; what the response must be to this request is a rule of the log',
    hides: ({ code }) => code.startsWith('reply.rule.'),
  },
  {
    paths: ['HAR'],
    why: 'every site has a root, so in a capture the start page is not taken for one of the sandbox',
    hides: (_found, { server }) => server === 'start',
  },
  {
    paths: ['HAR'],
    why: 'a HAR holds bodies without their coding',
    hides: ({ code }) => code === 'reply.body.undecodable',
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
];

/** Those of the parties: reading the sandbox's own pages and control API is not in its log. */
const logged = corpus.filter(({ make }) => {
  const { server } = make();
  return server !== 'webhook' && registry[server].host !== 'sandbox';
});

const started = { mode: 'frozen', value: 0 } as const;

function logIn() {
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema);
  const activity = new Activity(store, new Clock(started, () => 0), expect.fail, { validate: logValidator() });
  return { store, activity };
}

/** What the control API tells of a log, by the number of the entry, with the entries. */
async function told({ store, activity }: ReturnType<typeof logIn>) {
  await store.flush();
  const gone = new AbortController().signal;
  const patience = { seconds: 0, gone, aside: <T>(waiting: Promise<T>) => waiting };
  const list = await new ActivityFindings(activity, new Waiting(store, realTimer)).list({}, patience);
  const entries = activity.after(0);
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
  const checker = sharedChecker();
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
  return (await checkCapture(Readable.from([capture]), sharedChecker(), options)).report.findings;
}

it("OP-151: the corpus has at least 150 exchanges, of all parties' APIs, a third of them wrong in one way", async () => {
  expect(logged.length).toBeGreaterThanOrEqual(300);
  const drafts = logged.map(({ make }) => make());
  expect([...new Set(drafts.map(({ server }) => server))].sort()).toEqual([
    'client',
    'general',
    'microsite',
    'portal',
    'rewards',
  ]);
  const checker = sharedChecker();
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
    for (const { make } of logged) {
      script.now = make();
      await send(origin, script.now);
    }
    const calls = await told(log);
    expect(calls).toHaveLength(logged.length);
    await compare(
      'log',
      logged,
      calls.map(({ items }) => items),
    );
    const shown = calls.map(({ items }) =>
      kindsOf(items.map((item) => ({ ...item, times: 1 }))).map(({ finding }) => finding),
    );
    await compare('dashboard', logged, shown);
    const exported = calls.map(({ kept }) => checked(JSON.stringify({ items: [kept] })));
    await compare('export', logged, await Promise.all(exported));
  });

  it('in a reply to a call of a certification', async () => {
    const samples = hostedByClient();
    const script: Script = { now: example('creditPoints', 200) };
    const { origin } = await scriptedServer(script);
    const connect = buildConnector({ timeout: 3_000 });
    const partner = new Partner({
      clientUrl: origin,
      timeoutMs: 5_000,
      connect,
      checker: sharedChecker(),
      now: Date.now,
    });
    partner.left = samples.length;
    const got: (readonly Said[])[] = [];
    for (const { make } of samples) {
      script.now = make();
      const { method, request } = script.now;
      const path = targetOf(script.now).slice(registry.client.prefix.length);
      const call = { method, path, headers: Object.entries(request.headers), body: bytesOf(request.body) };
      got.push((await partner.send(call)).findings);
    }
    await partner.close();
    await compare('certification', samples, got);
  });

  it('in a reply to a call of the platform: its deviations, and the log of the call', {
    timeout: 120_000,
  }, async () => {
    const samples = hostedByClient();
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
    const checker = sharedChecker();
    const hidden = corpus.filter(({ make }) => {
      const draft = make();
      return said(checker.check(exchange(draft)).findings).some((found) => hides(found, draft));
    });
    expect(hidden).not.toEqual([]);
  },
);

/** Exchanges of the client's operations. The platform sends what is right: a wrong request is somebody else's. */
function hostedByClient(): readonly Sample[] {
  const hosted = new Set(loadClient().flatMap(({ operations: known }) => known.map(({ operationId }) => operationId)));
  const samples = corpus.filter(({ title, make }) => {
    const [id = ''] = title.split(' ');
    const { findings } = sharedChecker().check(exchange(make()));
    return hosted.has(id) && make().server === 'client' && findings.every(({ direction }) => direction === 'reply');
  });
  expect(samples.length).toBeGreaterThanOrEqual(30);
  return samples;
}

function loadClient() {
  return ['client', 'auth', 'v2-client'].map((name) => judgedContract(loadContract(name, 'interface')));
}

/** Has the platform's caller make the call of each exchange, to a server that replies as the exchange has it. */
async function called(samples: readonly Sample[]) {
  const script: Script = { now: example('creditPoints', 200) };
  const { origin } = await scriptedServer(script);
  const log = logIn();
  const connect = guardedConnector({ allowed: localAddresses, resolve: systemResolve, timeout: 3_000, own: nowhere });
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
      { activity: log.activity, spans: testSpans() },
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
