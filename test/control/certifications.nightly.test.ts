/** The control API: certifications of a client server (OP-204, OP-205). */
import { expect, it } from 'vitest';
import { flat, refusal } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closedPort, serve } from '../harness/http-server.ts';
import { type Clients, ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { opened, workspaceOf } from '../harness/workspaces.ts';
import { begun, ended, type Request, shown } from './certifying.ts';

const customers = ['CUST0001'];
const long = 120_000;

/** A server that never answers: a run against it goes on until it is ended. */
const silent = () => serve(() => new Promise(() => {}));

const remove = ({ control }: Pick<TestSandbox, 'control'>, id: string) =>
  control.DELETE('/certifications/{id}', { params: { path: { id } } });

it(
  'OP-204: the server that the platform calls is certified in the background, with what the workspace knows it by, and the report is kept',
  async () => {
    const sandbox = await testSandbox();
    const { control, urls } = sandbox;
    // Which versions the server has is known once the run has begun.
    const target = { client_url: urls.client, api: null };
    const body: Request = { customers, only: ['CRD-01', 'CRD-02'], seed: 'seven' };
    const answered = await control.POST('/certifications', { body });
    const first = { id: 'CRT-000001', position: null, target, seed: 'seven', started_at: expect.any(String) };
    const running = { state: 'running', ended_at: null, done: 0, of: null, outcome: null, counts: null };
    expect([answered.response.status, answered.data]).toEqual([202, { ...first, ...running }]);
    const kept = { verdicts: [], report: null, problem: null, exchanges_left_out: 0 };
    expect(await shown(sandbox, 'CRT-000001')).toEqual({ ...first, ...running, ...kept });

    const run = await ended(sandbox, 'CRT-000001');
    const { report, verdicts } = run;
    expect(report).toMatchObject({
      target: { ...target, api: 'both' },
      seed: 'seven',
      failures: [],
      books: 'even',
      problem: null,
    });
    expect(verdicts).toEqual(report?.verdicts);
    const judged = verdicts.flatMap(({ verdict }) => (verdict === 'pass' ? [verdict] : []));
    expect(judged).toEqual(['pass', 'pass']);
    const came = { outcome: report?.outcome, counts: report?.counts, done: judged.length, of: judged.length };
    const end = { ...first, target: report?.target, state: 'ended', ended_at: expect.any(String), ...came };
    expect(run).toEqual({ ...end, ...kept, verdicts, report });
    expect(ok(await control.GET('/certifications'))).toEqual({ items: [end] });
  },
  long,
);

it(
  'OP-204: codes are read from the outbox of the workspace, and its log is looked through, without being told where it is',
  async () => {
    const sandbox = await testSandbox();
    const body: Request = { customers, only: ['credit'], otp: { gateway: true } };
    const { report } = await ended(sandbox, await begun(sandbox, body));
    expect(report).toMatchObject({ problem: null, failures: [] });
  },
  long,
);

const inward = 'must be a public address or one allowed with --allow-address';
const neither = 'must be an https URL, or http on loopback or in a private range allowed with --allow-address';
const itself = 'must not be the sandbox itself, except for the URL of its reference client';

it.each<[string, (origin: string) => Partial<Request>, string]>([
  ['an address inside', () => ({ client_url: 'https://169.254.169.254' }), `/client_url ${inward}`],
  ['plain http elsewhere', () => ({ client_url: 'http://client.example' }), `/client_url ${neither}`],
  ['the sandbox itself', (origin) => ({ client_url: `${origin}/rewards` }), `/client_url ${itself}`],
  ['codes from inside', () => ({ otp: { url: 'https://10.0.0.1/{customer_id}' } }), `/otp/url ${inward}`],
  [
    'a webhook inside',
    () => ({ webhook: { url: 'https://[fd00::1]/hooks', secret: 'whsec_MDEyMw==' } }),
    `/webhook/url ${inward}`,
  ],
  [
    'another sandbox',
    () => ({ sandbox: { url: 'https://sandbox.example' } }),
    '/sandbox is this sandbox: use `log` to check its log',
  ],
  [
    'a requirement that there is none of',
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
  'OP-206: a name that leads inside is not connected to, whatever it was when the run was asked for',
  async () => {
    const sandbox = await testSandbox({ resolve: async () => [{ address: '10.0.0.7', family: 4 }] });
    const run = await ended(sandbox, await begun(sandbox, { customers, client_url: 'https://partner.example' }));
    expect([run.outcome, run.report?.calls, run.report?.books]).toEqual(['environment', 1, 'unknown']);
    expect(run.report?.problem).toContain('partner.example: the address is not public');
  },
  long,
);

it(
  'OP-204: a workspace has one run; four run in all workspaces, and others wait in turn until one ends or is deleted',
  async () => {
    const sandbox = await testSandbox();
    const others = await Promise.all(Array.from({ length: 5 }, () => workspaceOf(sandbox)));
    const [third, fourth] = others.splice(3);
    if (third === undefined || fourth === undefined) throw new Error('there are five');
    const body = { customers, client_url: await silent() };
    const id = await begun(sandbox, body);
    expect(refusal(await sandbox.control.POST('/certifications', { body }))).toEqual(
      flat(409, 67, 'No more than 1 concurrent certification: wait until one has finished, or delete it'),
    );
    for (const other of others) await begun(other, body);
    const { data: queued } = await third.control.POST('/certifications', { body });
    expect(queued).toEqual({
      ...{
        id: 'CRT-000001',
        state: 'queued',
        position: 1,
        target: { client_url: body.client_url, api: null },
        seed: '1',
      },
      ...{ started_at: expect.any(String), ended_at: null, done: 0, of: null, outcome: null, counts: null },
    });
    const last = await begun(fourth, body);
    const standing = async (of: Clients) =>
      ok(await of.control.GET('/certifications')).items.map(({ state, position }) => [state, position]);
    expect(await standing(fourth)).toEqual([['queued', 2]]);

    // One that waits leaves the queue, and one that runs ends before it is gone: then the next begins.
    expect((await remove(third, 'CRT-000001')).response.status).toBe(204);
    expect([await standing(third), await standing(fourth)]).toEqual([[], [['queued', 1]]]);
    expect((await remove(sandbox, id)).response.status).toBe(204);
    expect(refusal(await remove(sandbox, id))).toEqual(flat(404, 44, 'Not found'));
    expect(await standing(fourth)).toEqual([['running', null]]);
    expect((await remove(fourth, last)).response.status).toBe(204);
  },
  long,
);

it(
  'OP-205: a run outlives a restart, a reset and the way back to a snapshot; one that the end of the sandbox met says so',
  async () => {
    const dataDir = await temporaryFolder();
    const first = await testSandbox({ dataDir, stopMilliseconds: 60_000 });
    const { id: snapshot } = ok(await first.control.POST('/snapshots'));
    const run = await ended(first, await begun(first, { customers, client_url: await closedPort() }));
    expect(run.report?.problem).toMatch(/^No response from /);
    ok(await first.control.POST('/reset'));
    ok(await first.control.POST('/snapshots/{id}/restore', { params: { path: { id: snapshot } } }));
    expect(await shown(first, run.id)).toEqual(run);
    const fork = opened(ok(await first.control.POST('/snapshots/{id}/fork', { params: { path: { id: snapshot } } })));
    expect(ok(await fork.control.GET('/certifications'))).toEqual({ items: [] });
    let calls = 0;
    const client_url = await serve(() => {
      calls += 1;
      return new Promise(() => {});
    });
    const cut = await begun(first, { customers, client_url });
    await expect.poll(() => calls, { timeout: 100_000 }).toBeGreaterThan(0);
    await first.close();

    const second = await testSandbox({ dataDir });
    expect(await shown(second, run.id)).toEqual(run);
    const stopped = await shown(second, cut);
    expect([stopped.state, stopped.outcome, stopped.problem]).toEqual(['ended', 'interrupted', null]);
    expect(stopped.report).toMatchObject({ outcome: 'interrupted', problem: 'The run was stopped.' });
  },
  long,
);
