/**
 * Tests that an exchange has the same findings on every path (OP-151). Every exchange in the corpus passes through the proxy in both
 * modes and through a HAR. Exchanges of the parties also pass through the log of a sandbox that served them, an export of that log, and the
 * dashboard's data. Exchanges of client operations also pass through a platform call and a certification call. If a path cannot see a
 * mistake, `exceptions` states the reason, and the comparison asserts that the path reports nothing.
 */
import { buildConnector } from 'undici';
import { describe, expect, it } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import { registry } from '../../sandbox/apis/registry.ts';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { Partner } from '../../sandbox/certification/partner.ts';
import { ActivityFindings } from '../../sandbox/conformance/activity-findings.ts';
import { noAnswers } from '../../sandbox/conformance/answers.ts';
import type { Finding } from '../../sandbox/conformance/finding.ts';
import { validatingContract } from '../../sandbox/conformance/own-traffic.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import { callOut } from '../../sandbox/http-client/call-out.ts';
import { guardedConnector, systemResolve } from '../../sandbox/http-client/connecting.ts';
import { Outgoing, outgoingTerms } from '../../sandbox/http-client/outgoing.ts';
import { localAddresses } from '../../sandbox/runtime/caller.ts';
import { Clock, realTimer } from '../../sandbox/runtime/clock.ts';
import { SeededRandom } from '../../sandbox/runtime/ids.ts';
import { Waiting } from '../../sandbox/runtime/waiting.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { entry, har } from '../harness/captures.ts';
import { type Draft, example, exchange, operations } from '../harness/exchanges.ts';
import { nowhere } from '../harness/nowhere.ts';
import { proxyTo, sharedChecker } from '../harness/proxy.ts';
import { testSpans } from '../harness/spans.ts';
import { violations } from '../harness/violations.ts';
import { bytesOf, type Script, scriptedServer, send, targetOf, validatingSandbox } from './scripted.ts';
import { checkText } from './statements/check.ts';

type KindsOf = (items: readonly Finding[]) => readonly { readonly finding: Finding }[];
/** The dashboard module that groups findings. */
const page = new URL('../../sandbox/dashboard/browser/kinds.ts', import.meta.url);
const { kindsOf } = (await import(page.href)) as { readonly kindsOf: KindsOf };

/** The properties of a finding that must be the same on every path. */
type ComparedFinding = Pick<Finding, 'code' | 'pointer' | 'basis' | 'severity' | 'expected' | 'actual'>;
type Path = 'certification' | 'proxy' | 'enforcing proxy' | 'HAR' | 'log' | 'export' | 'dashboard' | 'log of the call';

/** A sample of the corpus. `make` creates a fresh exchange, because each path consumes its own. */
interface Sample {
  readonly title: string;
  readonly make: () => Draft;
}

/** A mistake that some paths cannot see. */
interface Exception {
  readonly paths: readonly Path[];
  readonly why: string;
  readonly hides: (finding: ComparedFinding, draft: Draft) => boolean;
}

/** Rules that a response breaks because the server accepts an invalid request. */
const acceptedWrong = new Set(['reply.rule.invalid-type-refused', 'reply.rule.incomplete-record-refused']);
const exceptions: readonly Exception[] = [
  {
    paths: ['log', 'export', 'dashboard'],
    why: 'the sandbox validates its own replies before it sends them',
    hides: ({ code }) => code.startsWith('reply.'),
  },
  {
    paths: ['proxy', 'enforcing proxy', 'certification'],
    why: 'HTTP carries no body in a 204',
    hides: ({ code }, { reply }) => reply.status === 204 && code === 'reply.body.undocumented',
  },
  {
    paths: ['proxy', 'enforcing proxy'],
    why: 'the proxy refuses a target that cannot be decoded, and does not forward it',
    hides: ({ code }) => code === 'request.url.malformed',
  },
  {
    paths: ['enforcing proxy'],
    why: 'the proxy does not forward a wrong request, so nothing shows that the server would have accepted it',
    hides: ({ code }) => acceptedWrong.has(code),
  },
  {
    paths: ['HAR'],
    why: 'every site has a root, so a capture attributes no call to the start page',
    hides: (_found, { server }) => server === 'start',
  },
  {
    paths: ['HAR'],
    why: 'a HAR has decoded bodies',
    hides: ({ code }) => code === 'reply.body.undecodable',
  },
  {
    paths: ['log of the call'],
    why: 'a reply that cannot be decoded counts as no reply, and the log gives the reason',
    hides: ({ code }) => code === 'reply.body.undecodable',
  },
];

/** Every documented request and reply, once correct and once with each mistake. */
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

/** The exchanges of the parties. The log omits reads of the sandbox's own pages and control API. */
const logged = corpus.filter(({ make }) => {
  const { server } = make();
  return server !== 'webhook' && registry[server].host !== 'sandbox';
});

const frozenClock = { mode: 'frozen', value: 0 } as const;

function logIn() {
  const store = openMemoryStore<WorkspaceCollections>(workspaceSchema);
  const activity = new Activity(store, new Clock(frozenClock, () => 0), expect.fail);
  return { store, activity };
}

/** Returns the entries of a log, each with the findings that the control API lists for it. */
async function listCalls({ store, activity }: ReturnType<typeof logIn>) {
  await store.flush();
  const gone = new AbortController().signal;
  const patience = { seconds: 0, gone, aside: <T>(waiting: Promise<T>) => waiting };
  const list = await new ActivityFindings(activity, new Waiting(store, activity, realTimer), () => noAnswers).list(
    {},
    patience,
  );
  const entries = activity.after(0);
  // The calls in the corpus do not form a conversation, so findings between several calls are meaningless.
  const single = list.items.filter(({ code }) => !code.includes('.trace.'));
  return entries.map((entry) => ({ entry, items: single.filter(({ seq }) => seq === entry.seq) }));
}

function comparedFindings(findings: readonly ComparedFinding[]): ComparedFinding[] {
  return findings
    .filter(({ severity }) => severity !== 'notice')
    .map(({ code, pointer, basis, severity, expected, actual }) => ({
      code,
      pointer,
      basis,
      severity,
      expected,
      // A server does not read an undocumented body, so it does not know the body's length.
      actual: code === 'request.body.undocumented' ? 'a body' : actual,
    }))
    .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** Returns the expected findings of an exchange on a path: all except those that the path cannot see. */
async function verdict(draft: Draft, path: Path): Promise<ComparedFinding[]> {
  const checker = sharedChecker();
  const all = comparedFindings(checker.check(exchange(draft)).findings);
  const blind = exceptions.filter(({ paths }) => paths.includes(path));
  return all.filter((finding) => !blind.some(({ hides }) => hides(finding, draft)));
}

/** Asserts that a path has the expected findings for each exchange. */
async function compare(path: Path, samples: readonly Sample[], findings: readonly (readonly ComparedFinding[])[]) {
  const expected = await Promise.all(samples.map(({ make }) => verdict(make(), path)));
  const table = (all: readonly (readonly ComparedFinding[])[]) =>
    Object.fromEntries(samples.map(({ title }, index) => [title, all[index] ?? 'nothing']));
  expect(table(findings.map(comparedFindings))).toEqual(table(expected));
}

const checked = async (capture: string) => (await checkText(capture)).findings;

it("OP-151: the corpus has at least 300 exchanges of all parties' APIs, at least 90 of them with one mistake", async () => {
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
  const wrong = drafts.filter((draft) => comparedFindings(checker.check(exchange(draft)).findings).length > 0);
  expect(wrong.length).toBeGreaterThanOrEqual(90);
});

describe('OP-151: every exchange of the corpus has the same findings', () => {
  it.each(['report', 'enforce'] as const)('through the proxy, mode %s', { timeout: 120_000 }, async (mode) => {
    const script: Script = { now: example('companyAuth', 200) };
    const upstream = await scriptedServer(script);
    const findings: (readonly ComparedFinding[])[] = [];
    for (const { make } of corpus) {
      script.now = make();
      const proxy = await proxyTo(upstream, { mode, failOn: 'warning' });
      await send(new URL(proxy.url), script.now);
      await proxy.close();
      findings.push(proxy.book.report.findings);
    }
    // A refused request is not forwarded, so it has no reply to check. Each exchange has only one mistake.
    await compare(mode === 'report' ? 'proxy' : 'enforcing proxy', corpus, findings);
  });

  it('in a HAR', async () => {
    const findings = await Promise.all(corpus.map(({ make }) => checked(har([entry(make())]))));
    await compare('HAR', corpus, findings);
  });

  it('in the log of the sandbox that served it, in an export of that log, and on the dashboard', {
    timeout: 120_000,
  }, async () => {
    const log = logIn();
    const origin = await validatingSandbox(log.activity);
    for (const { make } of logged) await send(origin, make());
    const calls = await listCalls(log);
    expect(calls).toHaveLength(logged.length);
    await compare(
      'log',
      logged,
      calls.map(({ items }) => items),
    );
    const dashboardFindings = calls.map(({ items }) =>
      kindsOf(items.map((item) => ({ ...item, times: 1 }))).map(({ finding }) => finding),
    );
    await compare('dashboard', logged, dashboardFindings);
    const exported = await Promise.all(calls.map(({ entry }) => checked(JSON.stringify({ items: [entry] }))));
    // All handlers fail in this test, so the replies differ from those in the corpus.
    await compare(
      'export',
      logged,
      exported.map((found) => found.filter(({ direction }) => direction === 'request')),
    );
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
    const findings: (readonly ComparedFinding[])[] = [];
    for (const { make } of samples) {
      script.now = make();
      const { method, request } = script.now;
      const path = targetOf(script.now).slice(registry.client.prefix.length);
      const call = { method, path, headers: Object.entries(request.headers), body: bytesOf(request.body) };
      findings.push((await partner.send(call)).findings);
    }
    await partner.close();
    await compare('certification', samples, findings);
  });

  it('in a reply to a call of the platform', {
    timeout: 120_000,
  }, async () => {
    const samples = hostedByClient();
    const calls = await callEach(samples);
    await compare(
      'log of the call',
      samples,
      calls.map(({ items }) => items),
    );
  });
});

it.each(exceptions.map(({ why, paths, hides }) => [why, paths, hides] as const))(
  'OP-151: the corpus has an exchange with this exception: %s',
  async (_why, _paths, hides) => {
    const checker = sharedChecker();
    const hidden = corpus.filter(({ make }) => {
      const draft = make();
      return comparedFindings(checker.check(exchange(draft)).findings).some((finding) => hides(finding, draft));
    });
    expect(hidden).not.toEqual([]);
  },
);

/** Returns the exchanges of client operations that have a correct request. The platform sends no others. */
function hostedByClient(): readonly Sample[] {
  const hosted = new Set(loadClient().flatMap(({ operations }) => operations.map(({ operationId }) => operationId)));
  const samples = corpus.filter(({ title, make }) => {
    const [id = ''] = title.split(' ');
    const { findings } = sharedChecker().check(exchange(make()));
    return hosted.has(id) && make().server === 'client' && findings.every(({ direction }) => direction === 'reply');
  });
  expect(samples.length).toBeGreaterThanOrEqual(30);
  return samples;
}

function loadClient() {
  return ['client', 'auth', 'v2-client'].map((name) => validatingContract(loadContract(name, 'interface')));
}

/** Makes the call of each exchange as the platform does, to a server that sends the exchange's reply. */
async function callEach(samples: readonly Sample[]) {
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
    const contract = contracts.find((candidate) =>
      candidate.operations.some(({ operationId }) => operationId === operation),
    );
    if (contract === undefined) throw new Error(`no contract has ${operation}`);
    const { method, request } = draft;
    const url = `${origin}${targetOf(draft).replace('/client', '')}`;
    const body = request.body ?? null;
    const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
    await callOut(
      { activity: log.activity, spans: testSpans() },
      {
        operation,
        party: 'client',
        trace: random.hex(16),
        method,
        url,
        request: body,
        headers: Object.fromEntries(headers),
        outgoing: () => outgoing,
        judged: { by: 'strict', contract, read: false },
        refuses: () => true,
        message: () => undefined,
      },
    );
  }
  await outgoing.close();
  return listCalls(log);
}
