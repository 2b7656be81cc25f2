import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { CallEntry } from '../../sandbox/activity-log/activity-entry.ts';
import { CallFile } from '../../sandbox/activity-log/call-file.ts';
import { type WorkspaceCollections, workspaceSchema } from '../../sandbox/assembly/collections.ts';
import { QuotaWindow } from '../../sandbox/platform/quota.ts';
import type { Clock } from '../../sandbox/runtime/clock.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { Sealer, StoreSealer } from '../../sandbox/store/seal.ts';

export const hour = 3_600_000;

/** A burst of requests, a steady series, a pause or a restart. */
type Step =
  | { readonly kind: 'burst'; readonly requests: number }
  | { readonly kind: 'trickle'; readonly requests: number; readonly every: number }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'restart' };

/** Generates random schedules of demand around a limit. Many waits end just before, at or just after an hour. */
export function schedules(limit: number): fc.Arbitrary<Step[]> {
  const requests = fc.integer({ min: 1, max: Math.ceil(limit * 1.5) });
  const edge = fc.constantFrom(1000, hour / 2, hour - 1, hour, hour + 1);
  return fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('burst' as const), requests }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('trickle' as const), requests, every: fc.nat(hour / 4) }),
      },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('wait' as const), milliseconds: fc.oneof(edge, fc.nat(2 * hour)) }),
      },
      { weight: 2, arbitrary: fc.constant({ kind: 'restart' as const }) },
    ),
    { minLength: 4, maxLength: 14 },
  );
}

/**
 * Runs a schedule and counts independently. Throws if a request was accepted although the hour was full, or refused
 * although it was not. A limiter that passes never exceeds the limit in any sliding hour, and allows the full limit on
 * demand. Returns the number of accepted requests.
 */
export async function follow(steps: readonly Step[], limit: number, clock: Clock): Promise<number> {
  const gate = await platformQuota(limit, clock);
  const accepted: number[] = [];
  const request = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => gate.take()));
    for (const answer of answers) {
      const before = accepted.at(-limit);
      const free = before === undefined || clock.now() - before >= hour;
      if (answer !== free) throw new Error(`request ${accepted.length}: ${answer} although the hour is ${free}`);
      if (answer) accepted.push(clock.now());
    }
  };
  try {
    for (const step of steps) {
      if (step.kind === 'burst') await request(step.requests);
      if (step.kind === 'wait') clock.follow(clock.at(clock.now() + step.milliseconds));
      if (step.kind === 'restart') await gate.restart();
      if (step.kind !== 'trickle') continue;
      for (let number = 0; number < step.requests; number += 1) {
        await request(1);
        clock.follow(clock.at(clock.now() + step.every));
      }
    }
  } finally {
    await gate.end();
  }
  return accepted.length;
}

/**
 * Creates the platform's quota, which saves each call in a frequently rotated file. `take` returns whether it accepts a
 * request. A restart reopens the store and the file.
 */
async function platformQuota(limit: number, clock: Clock) {
  const dir = await mkdtemp(join(tmpdir(), 'quota-'));
  const open = () => openLowdbStore<WorkspaceCollections>({ dir, schema: workspaceSchema, warn: () => {} });
  const started = async () => {
    const store = await open();
    const most = { calls: 3, bytes: 100_000 };
    const sealer = new StoreSealer(new Sealer(undefined));
    const calls = await CallFile.open({ dir, files: diskFiles, sealer, warn: () => {}, log: () => 0, most });
    const window = new QuotaWindow(store, { now: () => clock.now(), limit: () => limit, calls });
    calls.follow({ activity: { save: () => {} }, quota: window });
    return { store, calls, window };
  };
  let running = await started();
  const stop = async () => {
    await running.calls.close();
    await running.store.close();
  };
  return {
    async take() {
      const result = await running.window.take();
      await running.calls.append({ entry: {} as CallEntry, text: '{}', bytes: 2 });
      return !('kind' in result);
    },
    async restart() {
      await stop();
      running = await started();
    },
    async end() {
      await stop();
      await rm(dir, { recursive: true });
    },
  };
}
