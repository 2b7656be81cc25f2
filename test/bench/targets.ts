/** The parts of a run, in their order. */
export const partNames = [
  'listing',
  'orders',
  'path',
  'stores',
  'proxy',
  'start',
  'memory',
  'workspaces',
  'catalogue',
] as const;
export type PartName = (typeof partNames)[number];

/** The target of a figure. `before` is the figure before the work on speed began. */
export interface Target {
  readonly key: string;
  readonly part: PartName;
  readonly name: string;
  readonly before: string;
  /** Whether the value is a minimum or a maximum. */
  readonly bound: 'least' | 'most';
  readonly target: number;
  readonly unit: string;
}

const row = (
  part: PartName,
  key: string,
  name: string,
  before: string,
  bound: '>=' | '<=',
  target: number,
  unit = '',
): Target => ({ part, key, name, before, bound: bound === '>=' ? 'least' : 'most', target, unit });

/** All targets, in the order of the report. */
export const targets: readonly Target[] = [
  row('listing', 'listing/koa', 'listing against bare Koa', '0.14', '>=', 0.5),
  row('listing', 'listing/prism', 'listing against Prism mock', '2.2', '>=', 2.5),
  row('listing', 'listing/mockoon', 'listing against Mockoon', '', '>=', 6),
  row('listing', 'listing/disturbed', 'listing while another process flushes the same disk', '200/s', '>=', 0.8),
  row('orders', 'orders/10', 'orders, 10 connections', '237/s', '>=', 900, '/s'),
  row('orders', 'orders/50', 'orders, 50 connections', '237/s', '>=', 900, '/s'),
  row('orders', 'orders/alone', 'one order alone, p50', '7.4 ms', '<=', 3, 'ms'),
  row('orders', 'orders/processor', 'processor time of an order, 50 customers', '', '<=', 3, 'ms'),
  row('orders', 'orders/customer', 'the same, one customer with 10,000 orders, against 50 customers', '8', '<=', 1.5),
  row('orders', 'orders/stored', 'orders with 100,000 stored against 100', '1.1 at 30,000', '>=', 0.85),
  row('path', 'path/files', 'files that an order runs through', '127', '<=', 60),
  row('path', 'path/calls', 'function calls of an order', '5,238', '<=', 2000),
  row('path', 'path/listing', 'files that a listing runs through', '78', '<=', 40),
  row('proxy', 'proxy/prism', "proxy with second opinion against Prism's", '2.3', '>=', 1.5),
  row('proxy', 'proxy/alone', "proxy without it against Prism's", '2.3', '>=', 4),
  row('start', 'start/empty', 'ready, empty', '0.8 s', '<=', 0.3, 's'),
  row('start', 'start/some', 'ready, 20,000 orders', '', '<=', 1.5, 's'),
  row('start', 'start/many', 'ready, 100,000 orders', '8 to 13 s', '<=', 8, 's'),
  row('memory', 'memory/sandbox', 'idle memory, sandbox', '136 MB', '<=', 110, 'MB'),
  row('memory', 'memory/proxy', 'idle memory, proxy without second opinion', 'about 300 MB', '<=', 120, 'MB'),
  row('memory', 'memory/certifications', 'most memory with two certifications at once', '663 MB', '<=', 450, 'MB'),
  row('memory', 'memory/order', 'heap per stored order', '7 KB', '<=', 4, 'KB'),
  row('memory', 'memory/checkpoint-some', 'longest block of a checkpoint, 20,000 orders', '', '<=', 30, 'ms'),
  row('memory', 'memory/checkpoint-many', 'longest block of a checkpoint, 100,000 orders', '', '<=', 100, 'ms'),
  row('memory', 'memory/folder', 'data folder against what it holds', '', '<=', 3),
  row('workspaces', 'workspaces/made', 'workspaces made in 10 s', '', '>=', 1000),
];

export type Verdict = 'met' | 'missed' | 'not measured';

/** Whether a figure reaches its target. */
export function verdict({ bound, target }: Pick<Target, 'bound' | 'target'>, measured: number | undefined): Verdict {
  if (measured === undefined || !Number.isFinite(measured)) return 'not measured';
  return (bound === 'least' ? measured >= target : measured <= target) ? 'met' : 'missed';
}

/** The share of a target that is reached: 1 at exactly the target, more beyond it. */
export function reached({ bound, target }: Pick<Target, 'bound' | 'target'>, measured: number): number {
  return bound === 'least' ? measured / target : target / measured;
}
