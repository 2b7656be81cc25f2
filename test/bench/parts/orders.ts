import type { Bench, Measured } from '../bench.ts';
import { interleaved, median, row } from '../figures.ts';
import { type Subject, startSubject } from '../sandbox.ts';

const [rounds, seconds, warming] = [3, 2, 2];
const connections = [1, 10, 50] as const;
const stored = [
  ['100', 100],
  ['100,000', 100_000],
] as const;

/** For how many seconds this part makes load. */
export const loadSeconds = stored.length * (warming + connections.length * rounds * seconds);

/** What one round came to. */
interface Round {
  readonly rate: number;
  readonly middle: number;
  readonly processor: number;
  readonly refused: number;
}

/** Orders at a sandbox with few stored and at one with many, both on running clocks. */
export async function orders(bench: Bench): Promise<Measured> {
  const sandboxes = new Map<string, Subject>();
  for (const [name, count] of stored) {
    sandboxes.set(name, await startSubject(bench, (await bench.filled(count)).dir));
  }
  const measured = (name: string, subject: Subject, of: number, length: number) => async (round: number) => {
    const begin = subject.process.processor();
    const reference = `${name}-${of}-${round}`.replaceAll(',', '');
    const { calls, rate, middle, refused } = await bench.load({
      url: subject.orders,
      token: subject.token,
      connections: of,
      seconds: length,
      orders: reference,
    });
    await subject.process.quiet();
    return { rate, middle, refused, processor: (subject.process.processor() - begin) / calls };
  };
  for (const [name, subject] of sandboxes) await measured(name, subject, 10, warming)(-1);
  const subjects = connections.flatMap((of) =>
    [...sandboxes].map(([name, subject]) => ({
      name: `${name} stored, ${of} connection${of === 1 ? '' : 's'}`,
      run: measured(name, subject, of, seconds),
    })),
  );
  const results = await interleaved(subjects, rounds);
  // A round without an order has no time of an order.
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
  const [few, many] = ['100 stored, 10 connections', '100,000 stored, 10 connections'];
  return {
    figures: {
      'orders/10': at('rate', few),
      'orders/50': at('rate', '100 stored, 50 connections'),
      'orders/alone': at('middle', '100 stored, 1 connection'),
      'orders/stored': at('rate', many) / at('rate', few),
      'orders/processor': at('processor', many) / at('processor', few),
    },
    tables: [
      { title: 'Orders', unit: '/s', against: few, rows: rowsOf('rate') },
      { title: 'Orders, p50', unit: 'ms', rows: rowsOf('middle') },
      { title: 'Orders, processor time of each', unit: 'ms', against: few, rows: rowsOf('processor') },
    ],
    notes: [
      'Processor time of an order is that of the whole process until it is quiet again, deliveries included.',
      'Those that are measured come on top of the 100 stored: that sandbox stands for none.',
      ...refused,
    ],
  };
}
