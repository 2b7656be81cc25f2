/** A recording of 100,000 exchanges is checked completely, in bounded memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { FindingCollector } from '../../../sandbox/conformance/finding-collector.ts';
import { fromHar } from '../../../sandbox/conformance/har.ts';
import { sharedChecker } from '../../harness/proxy.ts';
import { lines } from './check.ts';
import { golden } from './golden.ts';
import { type Call, entryOf } from './recording.ts';

const exchanges = 100_000;
const megabyte = 1024 * 1024;

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / megabyte;
}

/** Yields the calls of the golden recording endlessly, with new ids in each round. */
function* journeys(): Generator<Call> {
  const text = JSON.stringify(golden());
  for (let round = 0; ; round += 1) {
    const renamed = text.replaceAll(/RDM-|UPI-|ORD-|CUST|SPICE-|OTP-|key-of-|MSG-/g, `$&${round}-`);
    const later = round * 1_000_000;
    for (const call of JSON.parse(renamed) as Call[])
      yield { ...call, start: call.start + later, end: call.end + later };
  }
}

it('100,000 exchanges have no finding, and their state takes less than 150 MB', () => {
  const checker = sharedChecker();
  const collector = new FindingCollector(checker, 'har', '0.0.0');
  const before = usedMegabytes();
  for (const call of journeys().take(exchanges)) {
    const exchange = fromHar(entryOf(call), {});
    if (typeof exchange === 'string' || 'kind' in exchange) throw new Error(`${call.operation} cannot be read`);
    collector.add(exchange, checker.check(exchange));
  }
  expect(lines(collector.report)).toEqual([]);
  expect(collector.report.exchanges.checked).toBe(exchanges);
  expect(usedMegabytes() - before).toBeLessThan(150);
});
