/**
 * All journeys, and then what they were part of. They run in one file, so that the contracts are loaded into Prism once and
 * everything that passed the proxies can be counted together.
 */
import { expect, it } from 'vitest';
import { traffic } from './proxied.ts';
import './redemption.ts';
import './setbacks.ts';
import './v2.ts';
import './pages.ts';
import './catalogue.ts';
import './rehearsal.ts';
import './ci-job.ts';

import './concurrency.ts';
import './crash.ts';

it('OP-91: every operation and every documented success was part of a journey, those of pages and webhooks too', () => {
  const wanted = traffic().filter(({ status }) => (status ?? 0) < 400);
  const seen = new Set(
    wanted.flatMap((cell) => (cell.seen > 0 ? [`${cell.operation} ${cell.status ?? 'request'}`] : [])),
  );
  const missing = wanted
    .map(({ operation, status }) => `${operation} ${status ?? 'request'}`)
    .filter((cell) => !seen.has(cell));
  expect([...new Set(missing)]).toEqual([]);
  expect(seen.size).toBeGreaterThan(160);
});
