/**
 * Runs all journeys, then measures their coverage. They share one file so that Prism loads the contracts once and one
 * counter covers the traffic of all proxies.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { statementsSeen, traffic } from '../harness/proxied.ts';
import { exceptions } from './exceptions.ts';
import './redemption.ts';
import './v2.ts';
import './pages.ts';
import './catalogue.ts';
import './rehearsal.ts';
import './ci-job.ts';
import './engineer.ts';
import './refusals.ts';
import './reasons.ts';
import './concurrency.ts';

type Cell = ReturnType<typeof traffic>[number];

const nameOf = ({ operation, direction, status }: Cell) =>
  `${operation} ${direction === 'request' ? 'request' : status}`;

describe('OP-91: the journeys exercise', () => {
  it('every statement that a partial recording can show', () => {
    const statements = statementsSeen();
    const exercised = new Set(statements.filter(({ kept, violated }) => kept + violated > 0).map(({ id }) => id));
    const visible = statements.filter(({ state }) => state !== 'not_visible').map(({ id }) => id);
    // These statements need a complete recording, an unrequested listing, a reached limit or a specific refusal.
    // The golden recording covers these statements.
    const others = ['A5', 'B7', 'B14', 'R21', 'S8', 'X3', 'X4', 'X6', 'X7', 'L1', 'L2'];
    expect([...new Set(visible)].filter((id) => !exercised.has(id))).toEqual(others);
  });
});

describe('OP-91: the journeys, including pages and webhooks, cover', () => {
  let documented: readonly Cell[];
  let coverage: ReadonlySet<string>;
  const isError = ({ status }: Cell) => (status ?? 0) >= 400;
  const missing = (cells: readonly Cell[]) => cells.map(nameOf).filter((cell) => !coverage.has(cell));

  beforeAll(() => {
    const all = traffic();
    documented = [...new Map(all.map((cell) => [nameOf(cell), cell])).values()];
    coverage = new Set(all.filter((cell) => cell.seen > 0).map(nameOf));
  });

  it('every operation, and every documented success', () => {
    const wanted = documented.filter((cell) => !isError(cell));
    expect(missing(wanted)).toEqual([]);
    expect(wanted.length).toBeGreaterThan(160);
  });

  it('every documented error, except those that are listed with a reason', () => {
    const wanted = documented.filter((cell) => isError(cell) && !exceptions.some(({ cells }) => cells(cell)));
    expect(missing(wanted)).toEqual([]);
    expect(wanted.length).toBeGreaterThan(400);
  });

  it.each(exceptions)('an exception is needed for every cell it names: $reason', ({ cells }) => {
    const excepted = documented.filter(cells);
    expect(excepted).not.toEqual([]);
    expect(missing(excepted)).toEqual(excepted.map(nameOf));
  });
});
