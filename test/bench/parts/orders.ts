import type { Bench, PartResult } from '../bench.ts';
import { figureOf } from '../figures.ts';
import { pathOf } from '../processes.ts';
import { measureInTurn, orders as ordersOf, reads } from '../rounds.ts';
import { savePage, startSubject } from '../sandbox.ts';

const rounds = 3;
const [many, one, koa] = ['50 customers', 'one customer with 10,000 orders', 'bare Koa, listings'] as const;

/** Measures orders by many customers with few stored orders, and by one customer with many, both on running clocks. */
export async function orders(bench: Bench): Promise<PartResult> {
  const few = await startSubject(bench, await bench.filled(100, 1000));
  const long = await startSubject(bench, await bench.filled(10_000, 1));
  const { file } = await savePage(few, bench.dir);
  const { url } = await bench.processes.node(pathOf('test/bench/servers/koa.ts'), file).json<{ url: string }>();
  const loads = [
    reads(bench, koa, { url, token: few.token }),
    ordersOf(bench, many, few, { uid: 'SPEED', customers: 50 }),
    ordersOf(bench, one, long, { uid: 'BENCH00', customers: 1 }),
  ];
  const { rates, processor, notes } = await measureInTurn(loads, rounds);
  return {
    figures: {
      'orders/koa': figureOf(rates, many) / figureOf(rates, koa),
      'orders/processor': figureOf(processor, many),
      'orders/customer': figureOf(processor, one) / figureOf(processor, many),
    },
    tables: [
      { title: 'Orders, 10 connections', unit: '/s', against: koa, rows: rates },
      { title: 'Orders, processor time of each', unit: 'ms', against: many, rows: processor },
    ],
    notes: [
      'Processor time of an order is that of the whole process until it is quiet again, deliveries included.',
      ...notes,
    ],
  };
}
