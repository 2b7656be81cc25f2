import { spawnSync } from 'node:child_process';
import type { Bench, PartResult } from '../bench.ts';
import { figureOf, type Row } from '../figures.ts';
import { measureInTurn, orders, reads } from '../rounds.ts';
import { startSubject } from '../sandbox.ts';

const rounds = 5;
const [own, other] = ['this checkout', 'the other checkout'] as const;

/** Compares this checkout's sandbox with another checkout's, each on its own Node, under the same load in turn. */
export async function beside(bench: Bench): Promise<PartResult> {
  if (bench.beside === undefined) throw new Error('there is no other checkout');
  const { dir } = bench.beside;
  const git = spawnSync('git', ['-C', dir, 'log', '-1', '--format=%h'], { encoding: 'utf8' });
  const subjects = [
    [own, await startSubject(bench, bench.folder())],
    [other, await startSubject(bench, bench.folder(), bench.beside)],
  ] as const;
  const pages = subjects.map(([name, { page: url, token }]) => reads(bench, name, { url, token }));
  const placed = subjects.map(([name, subject]) => orders(bench, name, subject, { uid: 'SPEED', customers: 50 }));
  const [listing, order] = [await measureInTurn(pages, rounds), await measureInTurn(placed, rounds)];
  const ratio = (rows: readonly Row[]) => figureOf(rows, own) / figureOf(rows, other);
  return {
    figures: {
      'beside/listing': ratio(listing.rates),
      'beside/orders': ratio(order.rates),
      'beside/processor': ratio(order.processor),
    },
    tables: [
      { title: 'Listing, two checkouts', unit: '/s', against: other, rows: listing.rates },
      { title: 'Orders, two checkouts', unit: '/s', against: other, rows: order.rates },
      { title: 'Orders, processor time of each, two checkouts', unit: 'ms', against: other, rows: order.processor },
    ],
    notes: [
      `The other checkout is of commit ${git.status === 0 ? git.stdout.trim() : 'unknown'}.`,
      ...listing.notes.map((note) => `Listing: ${note}`),
      ...order.notes.map((note) => `Orders: ${note}`),
    ],
  };
}
