/** Tests certifications of a client server over the control API (OP-204, OP-205). */
import { expect, it } from 'vitest';
import { flat, notFound, refusal } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closedPort, serve } from '../harness/http-server.ts';
import { type Clients, ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { opened, workspaceOf } from '../harness/workspaces.ts';
import { awaitCertification, type Request, readCertification, startCertification } from './certifying.ts';

const customers = ['CUST0001'];
const long = 120_000;

/** Starts a server that never answers, so that a run against it continues until it is stopped. */
const silent = () => serve(() => new Promise(() => {}));

const remove = ({ control }: Pick<TestSandbox, 'control'>, id: string) =>
  control.DELETE('/certifications/{id}', { params: { path: { id } } });

it(
  'OP-204: a run certifies the server of the workspace in the background, with the settings of the workspace, and stores the report',
  async () => {
    const sandbox = await testSandbox();
    const { control, urls } = sandbox;
    // The run detects the server's versions only after it has started.
    const target = { client_url: urls.client, api: null };
    const body: Request = { customers, only: ['CRD-01', 'CRD-02'], seed: 'seven' };
    const reply = await control.POST('/certifications', { body });
    const first = { id: 'CRT-000001', position: null, target, seed: 'seven', started_at: expect.any(String) };
    const running = { state: 'running', ended_at: null, done: 0, of: null, outcome: null, counts: null };
    expect([reply.response.status, reply.data]).toEqual([202, { ...first, ...running }]);
    const emptyResult = { verdicts: [], report: null, problem: null, exchanges_left_out: 0 };
    expect(await readCertification(sandbox, 'CRT-000001')).toEqual({ ...first, ...running, ...emptyResult });

    const run = await awaitCertification(sandbox, 'CRT-000001');
    const { report, verdicts } = run;
    expect(report).toMatchObject({
      target: { ...target, api: 'both' },
      seed: 'seven',
      failures: [],
      balances: 'restored',
      problem: null,
    });
    expect(verdicts).toEqual(report?.verdicts);
    const passes = verdicts.flatMap(({ verdict }) => (verdict === 'pass' ? [verdict] : []));
    expect(passes).toEqual(['pass', 'pass']);
    const result = { outcome: report?.outcome, counts: report?.counts, done: passes.length, of: passes.length };
    const endedRun = { ...first, target: report?.target, state: 'ended', ended_at: expect.any(String), ...result };
    expect(run).toEqual({ ...endedRun, ...emptyResult, certificate: expect.any(String), verdicts, report });
    expect(ok(await control.GET('/certifications'))).toEqual({ items: [endedRun] });
  },
  long,
);

it(
  'OP-204: a run reads codes and the log from its own workspace, without their addresses in the request',
  async () => {
    const sandbox = await testSandbox();
    const body: Request = { customers, only: ['credit'], otp: { gateway: true } };
    const { report } = await awaitCertification(sandbox, await startCertification(sandbox, body));
    expect(report).toMatchObject({ problem: null, failures: [] });
  },
  long,
);

const mustBePublic = 'must be a public address or one allowed with --allow-address';
const mustBeHttps = 'must be an https URL, or http on loopback or in a private range allowed with --allow-address';
const mustNotBeSandbox = 'must not be the sandbox itself, except for the URL of its reference client';

it.each<[string, (origin: string) => Partial<Request>, string]>([
  ['an internal address', () => ({ client_url: 'https://169.254.169.254' }), `/client_url ${mustBePublic}`],
  ['plain http to a public host', () => ({ client_url: 'http://client.example' }), `/client_url ${mustBeHttps}`],
  ['the sandbox itself', (origin) => ({ client_url: `${origin}/rewards` }), `/client_url ${mustNotBeSandbox}`],
  [
    'codes from an internal address',
    () => ({ otp: { url: 'https://10.0.0.1/{customer_id}' } }),
    `/otp/url ${mustBePublic}`,
  ],
  [
    'a webhook at an internal address',
    () => ({ webhook: { url: 'https://[fd00::1]/hooks', secret: 'whsec_MDEyMw==' } }),
    `/webhook/url ${mustBePublic}`,
  ],
  [
    'another sandbox',
    () => ({ sandbox: { url: 'https://sandbox.example' } }),
    '/sandbox is this sandbox: use `log` to check its log',
  ],
  [
    'an unknown requirement',
    () => ({ only: ['XYZ-99'] }),
    '/only contains XYZ-99, which is neither a requirement nor a group',
  ],
])('OP-206: %s is refused before anything is called', async (_, request, problem) => {
  const { control, origin } = await testSandbox();
  const body = { customers, ...request(origin) };
  expect(refusal(await control.POST('/certifications', { body }))).toEqual(
    flat(400, 53, `Invalid request: ${problem}`),
  );
  expect(ok(await control.GET('/certifications'))).toEqual({ items: [] });
});

it(
  'OP-206: a run does not connect to a name that resolves to an internal address, whatever it was at the request',
  async () => {
    const sandbox = await testSandbox({ resolve: async () => [{ address: '10.0.0.7', family: 4 }] });
    const run = await awaitCertification(
      sandbox,
      await startCertification(sandbox, { customers, client_url: 'https://partner.example' }),
    );
    expect([run.outcome, run.report?.calls, run.report?.balances]).toEqual(['environment', 1, 'unknown']);
    expect(run.report?.problem).toContain('partner.example has no address that may be called');
  },
  long,
);

it(
  'OP-204: each workspace has one run, and four run in total; others queue until one ends or is deleted',
  async () => {
    const sandbox = await testSandbox();
    const others = await Promise.all(Array.from({ length: 5 }, () => workspaceOf(sandbox)));
    const [third, fourth] = others.splice(3);
    if (third === undefined || fourth === undefined) throw new Error('there are five');
    const body = { customers, client_url: await silent() };
    const id = await startCertification(sandbox, body);
    expect(refusal(await sandbox.control.POST('/certifications', { body }))).toEqual(
      flat(409, 67, 'No more than 1 concurrent certification: wait until one has finished, or delete it'),
    );
    for (const other of others) await startCertification(other, body);
    const { data: queued } = await third.control.POST('/certifications', { body });
    expect(queued).toEqual({
      ...{
        id: 'CRT-000001',
        state: 'queued',
        position: 1,
        target: { client_url: body.client_url, api: null },
        seed: '1',
      },
      started_at: expect.any(String),
      ended_at: null,
      done: 0,
      of: null,
      outcome: null,
      counts: null,
    });
    const last = await startCertification(fourth, body);
    const readQueue = async (of: Clients) =>
      ok(await of.control.GET('/certifications')).items.map(({ state, position }) => [state, position]);
    expect(await readQueue(fourth)).toEqual([['queued', 2]]);

    // Deleting a run removes it from the queue. A running one is stopped first, so the next run starts.
    expect((await remove(third, 'CRT-000001')).response.status).toBe(204);
    expect([await readQueue(third), await readQueue(fourth)]).toEqual([[], [['queued', 1]]]);
    expect((await remove(sandbox, id)).response.status).toBe(204);
    expect(refusal(await remove(sandbox, id))).toEqual(notFound(`Certification ${id}`));
    expect(await readQueue(fourth)).toEqual([['running', null]]);
    expect((await remove(fourth, last)).response.status).toBe(204);
  },
  long,
);

it(
  'OP-205: a run survives a restart, a reset and a restore; a run that a shutdown interrupts reports that',
  async () => {
    const dataDir = await temporaryFolder();
    const first = await testSandbox({ dataDir, stopMilliseconds: 60_000 });
    const { id: snapshot } = ok(await first.control.POST('/snapshots'));
    const run = await awaitCertification(
      first,
      await startCertification(first, { customers, client_url: await closedPort() }),
    );
    expect(run.report?.problem).toMatch(/^No response from /);
    ok(await first.control.POST('/reset'));
    ok(await first.control.POST('/snapshots/{id}/restore', { params: { path: { id: snapshot } } }));
    expect(await readCertification(first, run.id)).toEqual(run);
    const fork = opened(ok(await first.control.POST('/snapshots/{id}/fork', { params: { path: { id: snapshot } } })));
    expect(ok(await fork.control.GET('/certifications'))).toEqual({ items: [] });
    let calls = 0;
    const client_url = await serve(() => {
      calls += 1;
      return new Promise(() => {});
    });
    const interruptedId = await startCertification(first, { customers, client_url });
    await expect.poll(() => calls, { timeout: 100_000 }).toBeGreaterThan(0);
    await first.close();

    const second = await testSandbox({ dataDir });
    expect(await readCertification(second, run.id)).toEqual(run);
    const interrupted = await readCertification(second, interruptedId);
    expect([interrupted.state, interrupted.outcome, interrupted.problem]).toEqual(['ended', 'interrupted', null]);
    expect(interrupted.report).toMatchObject({ outcome: 'interrupted', problem: 'The run was stopped.' });
  },
  long,
);
