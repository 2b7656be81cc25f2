import { budget } from '../harness/path-budget.ts';

/** The parts of a run, in order. */
export const partNames = ['path', 'listing', 'orders', 'beside', 'proxy', 'start', 'memory'] as const;
export type PartName = (typeof partNames)[number];

/** A minimum or maximum for a figure. */
interface Goal {
  readonly bound: 'least' | 'most';
  readonly target: number;
}

/** Creates a row of the report: a figure with its optional target. `before` is the figure before repeated work was removed. */
const row = (part: PartName, key: string, name: string, before: string, goal?: Goal, unit = '') => ({
  part,
  key: `${part}/${key}`,
  name,
  before,
  ...(goal && { goal }),
  unit,
});
const least = (target: number): Goal => ({ bound: 'least', target });
const most = (target: number): Goal => ({ bound: 'most', target });
const { order, listing } = budget;

/** All rows, in report order. */
export const targets = [
  row('path', 'order-validations', 'schema validations of an order', '16', most(order.validations)),
  row('path', 'order-parses', 'JSON.parse calls of an order', '12', most(order.parses)),
  row('path', 'order-texts', 'JSON.stringify calls of an order', '52', most(order.texts)),
  row('path', 'listing-validations', 'schema validations of a listing', '1', most(listing.validations)),
  row('path', 'listing-parses', 'JSON.parse calls of a listing', '0', most(listing.parses)),
  row('path', 'listing-texts', 'JSON.stringify calls of a listing', '4', most(listing.texts)),
  row('path', 'order-calls', 'function calls of an order', '3,560', most(order.calls)),
  row('path', 'listing-calls', 'function calls of a listing', '831', most(listing.calls)),
  row('path', 'order-files', 'files that an order runs through', '120', most(order.files)),
  row('path', 'listing-files', 'files that a listing runs through', '78', most(listing.files)),
  row('listing', 'koa', 'listing against bare Koa', '0.15', least(0.3)),
  row('listing', 'prism', 'listing against Prism mock', '0.89', least(1.75)),
  row('listing', 'mockoon', 'listing against Mockoon', '1.40', least(2.8)),
  row('orders', 'koa', "orders, 10 connections, against bare Koa's listings", '0.012'),
  row('orders', 'processor', 'processor time of an order, 50 customers', '6 ms', undefined, 'ms'),
  row('orders', 'customer', 'the same, one customer with 10,000 orders, against 50', '0.64', most(1.5)),
  row('beside', 'listing', 'listings against the other checkout', '1', least(2)),
  row('beside', 'orders', 'orders, 10 connections, against the other checkout', '1', least(1.7)),
  row('beside', 'processor', 'processor time of an order, the same', '1', most(0.6)),
  row('proxy', 'prism', "proxy with second opinion against Prism's", '1.69', least(1.5)),
  row('proxy', 'alone', "proxy without it against Prism's", '2.05', least(3)),
  row('start', 'empty', 'ready, empty', '0.38 s', most(0.3), 's'),
  row('start', 'some', 'ready, 20,000 orders', '1.40 s', most(1.5), 's'),
  row('start', 'many', 'ready, 100,000 orders', '5.9 s', most(8), 's'),
  row('memory', 'sandbox', 'idle memory, sandbox', '104 MB', most(110), 'MB'),
  row('memory', 'proxy', 'idle memory, proxy without second opinion', '89 MB', most(120), 'MB'),
  row('memory', 'order', 'heap per stored order', '3.1 KB', most(4), 'KB'),
  row('memory', 'checkpoint-some', 'longest block of a checkpoint, 20,000 orders', '6 ms', most(30), 'ms'),
  row('memory', 'checkpoint-many', 'longest block of a checkpoint, 100,000 orders', '10 ms', most(100), 'ms'),
];

/** Compares a figure with its target. */
export function verdict(goal: Goal | undefined, measured: number | undefined) {
  if (measured === undefined || !Number.isFinite(measured)) return 'not measured';
  if (goal === undefined) return 'no target';
  return (goal.bound === 'least' ? measured >= goal.target : measured <= goal.target) ? 'met' : 'missed';
}
