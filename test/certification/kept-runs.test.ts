/** Tests the limits on the number and size of stored certifications (OP-205). */

import { expect, it } from 'vitest';
import { Certifications } from '../../sandbox/assembly/certifications.ts';
import type { WorkspaceCollections } from '../../sandbox/assembly/collections.ts';
import type { WorkspaceSettings } from '../../sandbox/assembly/settings.ts';
import { sandboxSigningKey } from '../../sandbox/certification/certificate.ts';
import type { RunEnd } from '../../sandbox/certification/queue.ts';
import { boundedReport, mostReportBytes } from '../../sandbox/certification/report.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { memoryStorage } from '../../sandbox/workspaces/storage.ts';
import { failed, reported } from '../harness/reported.ts';

/** Creates certifications over a store. `end` completes a run with the given result. */
function certificationsOver(store: Store<WorkspaceCollections>, end: () => RunEnd) {
  const workspace = {
    referenceUrl: () => 'http://127.0.0.1:1/client',
    answers: () => ({ answers: {} }),
    describe: () => ({
      admin_token: 'at',
      credentials: { basic: { username: 'microsite', password: 'pw' } },
      settings: { client_url: 'http://127.0.0.1:1/client', client_token: 'st' },
    }),
  } as unknown as WorkspaceSettings;
  const start = () => {
    const { promise: ended, resolve } = Promise.withResolvers<RunEnd>();
    const cut = () => resolve({ problem: 'The run was interrupted.' });
    return { position: null, begun: Promise.resolve(), ended, end: () => resolve(end()), cut };
  };
  return new Certifications({
    store,
    workspace,
    addressProblem: () => undefined,
    queue: { start, full: false, mostQueued: 100 },
    share: () => 'demo',
    origin: () => 'http://127.0.0.1:1',
    realTime: () => Date.UTC(2026, 0, 12),
    signingKey: () => sandboxSigningKey({}),
    warn: (message) => {
      throw new Error(message);
    },
  });
}

const customers = ['CUST0001'];

it('OP-205: the 20 newest runs are stored, newest first, each with its outcome', async () => {
  const store = await memoryStorage(() => {}).open([]);
  for (let runs = 1; runs <= 22; runs += 1) {
    const end: RunEnd = runs === 22 ? { report: reported() } : { problem: 'Internal error in the run: no memory' };
    const certifications = certificationsOver(store, () => end);
    await certifications.start({ customers });
    expect(certifications.list()[0]).toMatchObject({ state: 'running', outcome: null });
    await certifications.stop();
  }
  const certifications = certificationsOver(store, () => ({ problem: '' }));
  const ids = Array.from({ length: 20 }, (_, at) => `CRT-${String(22 - at).padStart(6, '0')}`);
  expect(certifications.list().map(({ id }) => id)).toEqual(ids);
  expect(certifications.get('CRT-000022')).toMatchObject({ state: 'ended', outcome: 'passed', problem: null });
  const broke = { state: 'ended', outcome: 'interrupted', report: null };
  const problem = 'Internal error in the run: no memory';
  expect(certifications.get('CRT-000021')).toMatchObject({ ...broke, problem });
  expect(certifications.get('CRT-000002')).toBe(undefined);
});

it('OP-205: a run whose process died says so', async () => {
  const store = await memoryStorage(() => {}).open([]);
  await certificationsOver(store, () => ({ problem: '' })).start({ customers });
  expect(certificationsOver(store, () => ({ problem: '' })).get('CRT-000001')).toEqual({
    id: 'CRT-000001',
    state: 'ended',
    position: null,
    target: { client_url: 'http://127.0.0.1:1/client', api: null },
    seed: '1',
    started_at: '2026-01-12T00:00:00.000Z',
    ended_at: null,
    done: 0,
    of: null,
    outcome: 'interrupted',
    counts: null,
    verdicts: [],
    report: null,
    problem: 'The sandbox stopped before the run finished.',
    exchanges_left_out: 0,
  });
});

it('OP-205: a stored report has at most 512 KiB: texts are truncated, and calls are omitted and counted, the deciding one last', () => {
  const small = reported({ 'CRD-02': 'fail' });
  expect(boundedReport(small)).toEqual({ report: small, exchangesLeftOut: 0 });

  const [call] = failed('CRD-02').exchanges;
  if (call === undefined) throw new Error('the example has no call');
  const exchanges = Array.from({ length: 6 }, (_, at) => ({ ...call, reply_body: `${at}${'x'.repeat(80_000)}` }));
  const failures = [failed('CRD-01', { actual: 'y'.repeat(2_000_000) }), failed('CRD-02', { exchanges })];
  const { report, exchangesLeftOut } = boundedReport(reported({}, { failures }));
  expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThanOrEqual(mostReportBytes);
  expect(report.failures[0]?.actual).toBe(`${'y'.repeat(500)}...`);
  const left = report.failures[1]?.exchanges.map(({ reply_body }) => reply_body?.[0]);
  expect([left, exchangesLeftOut]).toEqual([['1', '2', '3', '4', '5'], 1]);
});
