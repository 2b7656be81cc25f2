import type { Bench } from './bench.ts';
import { interleaved, row } from './figures.ts';
import type { Orders } from './load.ts';
import type { Subject } from './sandbox.ts';

/** The duration of a round and of a warm-up window, in seconds. */
const seconds = 2;
const connections = 10;
/** Maximum relative difference between two consecutive windows' rates for a server to count as warm. */
const steady = 0.05;
/** Maximum duration of a warm-up's load, in seconds. */
const warmUpLimit = 30;

/** A server under one kind of load. */
interface Load {
  readonly name: string;
  readonly run: () => Promise<Round>;
}

/** The result of one round. */
interface Round {
  /** Calls per second. */
  readonly rate: number;
  /** Processor time per call in milliseconds, if it is measured. Not finite if there were no calls. */
  readonly processor?: number;
  readonly refused: number;
}

/** Creates a load that reads one URL. */
export function reads(bench: Bench, name: string, { url, token }: { url: string; token: string }): Load {
  return { name, run: () => bench.load({ url, token, connections, seconds }) };
}

/** Creates a load that places orders for the given customers, each with a unique reference. */
export function orders(bench: Bench, name: string, subject: Subject, by: Omit<Orders, 'reference'>): Load {
  let round = 0;
  const { process, orders: url, token } = subject;
  const run = async (): Promise<Round> => {
    round += 1;
    const begin = process.processor();
    const job = { url, token, connections, seconds, orders: { ...by, reference: `bench-${round}` } };
    const { calls, rate, refused } = await bench.load(job);
    await process.quiet();
    return { rate, refused, processor: (process.processor() - begin) / calls };
  };
  return { name, run };
}

/** Warms up each server, then measures all of them in each round. Resolves with the medians of all rounds, by load name. */
export async function measureInTurn(loads: readonly Load[], rounds: number) {
  const notes: string[] = [];
  for (const { name, run } of loads)
    if (!(await warmUp(run))) notes.push(`The rate of ${name} was not steady after ${warmUpLimit} s of warm-up.`);
  const results = await interleaved(loads, rounds);
  const rates = [...results].map(([name, all]) => row(name, ...all.map(({ rate }) => rate)));
  const processor = [...results].flatMap(([name, all]) => {
    const times = all.flatMap((round) => round.processor ?? []);
    return times.length === 0 ? [] : row(name, ...times.filter(Number.isFinite));
  });
  for (const [name, all] of results) {
    const refused = all.reduce((sum, round) => sum + round.refused, 0);
    if (refused > 0)
      notes.push(`${refused} calls of ${name} were refused with 503 and do not count: the event loop was late.`);
  }
  return { rates, processor, notes };
}

/** Runs load until two consecutive windows have about the same rate. Resolves with whether that happened within the limit. */
export async function warmUp(run: () => Promise<Pick<Round, 'rate'>>): Promise<boolean> {
  let before = Number.NaN;
  for (let spent = 0; spent < warmUpLimit; spent += seconds) {
    const { rate } = await run();
    if (Math.abs(rate - before) <= steady * Math.max(rate, before)) return true;
    before = rate;
  }
  return false;
}
