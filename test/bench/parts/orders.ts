import type { Bench, PartResult } from '../bench.ts';
import { interleaved, median, row } from '../figures.ts';
import type { Orders } from '../load.ts';
import { type Subject, startSubject } from '../sandbox.ts';

/** Warm-up: the processor time of an order is about the same from the 2,000th on. */
const [rounds, seconds, warming] = [3, 2, 8];
const connections = [1, 10, 50] as const;
/** Sandboxes by name: the stored orders, their customers, and the customers that place more. */
const stored = [
  ['100 stored', 100, 1000, { uid: 'SPEED', customers: 50 }],
  ['100,000 stored', 100_000, 1000, { uid: 'SPEED', customers: 50 }],
  ['10,000 stored of the customer', 10_000, 1, { uid: 'BENCH00', customers: 1 }],
] as const;

/** The seconds of load of this part. */
export const loadSeconds = stored.length * (warming + connections.length * rounds * seconds);

/** A sandbox and the customers of its new orders. */
type Ordered = Subject & { readonly by: Omit<Orders, 'reference'> };

/** The result of one round. */
interface Round {
  readonly rate: number;
  readonly middle: number;
  readonly processor: number;
  readonly refused: number;
}

/** Orders on a sandbox with few stored, on one with many, and of one customer with many, all on running clocks. */
export async function orders(bench: Bench): Promise<PartResult> {
  const sandboxes = new Map<string, Ordered>();
  for (const [name, count, customers, by] of stored) {
    const subject = await startSubject(bench, (await bench.filled(count, customers)).dir);
    sandboxes.set(name, { ...subject, by });
  }
  const measureRound = (subject: Ordered, of: number, length: number) => async (round: number) => {
    const begin = subject.process.processor();
    const reference = `bench-${of}-${round}`;
    const { calls, rate, middle, refused } = await bench.load({
      url: subject.orders,
      token: subject.token,
      connections: of,
      seconds: length,
      orders: { reference, ...subject.by },
    });
    await subject.process.quiet();
    return { rate, middle, refused, processor: (subject.process.processor() - begin) / calls };
  };
  for (const subject of sandboxes.values()) await measureRound(subject, 10, warming)(-1);
  const subjects = connections.flatMap((of) =>
    [...sandboxes].map(([name, subject]) => ({
      name: `${name}, ${of} connection${of === 1 ? '' : 's'}`,
      run: measureRound(subject, of, seconds),
    })),
  );
  const results = await interleaved(subjects, rounds);
  // A round without an order has no duration.
  const measuredIn = (values: Round[], figure: keyof Round) =>
    values.filter(({ rate }) => rate > 0 || figure === 'rate').map((value) => value[figure]);
  const rowsOf = (figure: keyof Round) =>
    [...results].map(([name, values]) => row(name, ...measuredIn(values, figure)));
  const at = (figure: keyof Round, name: string) => median(measuredIn(results.get(name) ?? [], figure));
  const refused = [...results].flatMap(([name, values]) => {
    const sum = values.reduce((so, value) => so + value.refused, 0);
    return sum === 0
      ? []
      : [`${sum} orders were refused with 503 at ${name}: the event loop was late. They do not count.`];
  });
  const [few, many, one] = stored.map(([name]) => `${name}, 10 connections`) as [string, string, string];
  return {
    figures: {
      'orders/10': at('rate', few),
      'orders/50': at('rate', '100 stored, 50 connections'),
      'orders/alone': at('middle', '100 stored, 1 connection'),
      'orders/stored': at('rate', many) / at('rate', few),
      'orders/processor': at('processor', few),
      'orders/customer': at('processor', one) / at('processor', few),
    },
    tables: [
      { title: 'Orders', unit: '/s', against: few, rows: rowsOf('rate') },
      { title: 'Orders, p50', unit: 'ms', rows: rowsOf('middle') },
      { title: 'Orders, processor time of each', unit: 'ms', against: few, rows: rowsOf('processor') },
    ],
    notes: [
      'Processor time of an order is that of the whole process until it is quiet again, deliveries included.',
      'The measured orders are in addition to the 100 stored ones; that sandbox represents none.',
      ...refused,
    ],
  };
}
