/**
 * Makes the calls of a job with autocannon, for machines without wrk. Prints the result as one line of JSON, like the wrk scripts in this
 * folder. Usage: `node autocannon.ts FOLDER-OF-AUTOCANNON JOB`.
 */
import { createRequire } from 'node:module';
import { argv } from 'node:process';
import type { Job, Orders, Outcome } from '../load.ts';

/** The part of autocannon's interface that this file uses. The benchmark downloads autocannon, which is not a dependency of the project. */
type Autocannon = (options: object) => Promise<{
  readonly requests: { readonly total: number };
  readonly duration: number;
  readonly errors: number;
  readonly non2xx: number;
  readonly statusCodeStats?: { readonly '503'?: { readonly count: number } };
}>;

/** Returns the body of an order by its number, from 1. */
export function orderBody({ reference, uid, customers }: Orders, number: number): string {
  return JSON.stringify({
    uid: `${uid}${String(number % customers).padStart(2, '0')}`,
    line_items: [{ sku: 'EGV-SPICE-100', quantity: 1 }],
    reference_id: `${reference}-${number}`,
  });
}

async function run(folder: string, { url, token, connections, seconds, orders }: Job): Promise<Outcome> {
  const autocannon: Autocannon = createRequire(import.meta.url)(folder);
  let number = 0;
  const placing = orders && {
    method: 'POST',
    requests: [
      {
        setupRequest: (request: object) => {
          number += 1;
          return { ...request, body: orderBody(orders, number) };
        },
      },
    ],
  };
  const headers = { Authorization: token, 'Content-Type': 'application/json' };
  const ran = await autocannon({ url, connections, duration: seconds, headers, ...placing });
  const refused = orders === undefined ? 0 : (ran.statusCodeStats?.['503']?.count ?? 0);
  const wrong = ran.errors + ran.non2xx - refused;
  return { calls: ran.requests.total, seconds: ran.duration, wrong, refused };
}

const [, , folder, job] = argv;
if (import.meta.main && folder !== undefined && job !== undefined)
  console.log(JSON.stringify(await run(folder, JSON.parse(job))));
