/** Checks recordings as `check` does. */
import { FindingCollector, type Report } from '../../../sandbox/conformance/finding-collector.ts';
import { fromHar } from '../../../sandbox/conformance/har.ts';
import { sharedChecker } from '../../harness/proxy.ts';
import { type Call, entryOf } from './recording.ts';

/** The report of a recording; `complete` says that nothing is missing in it. */
export function reportOf(calls: readonly Call[], complete = true): Report {
  const checker = sharedChecker();
  const collector = new FindingCollector(checker, 'har', '0.0.0', undefined, { complete, oneClock: complete });
  for (const call of calls) {
    const exchange = fromHar(entryOf(call), {});
    if (typeof exchange === 'string' || 'kind' in exchange) throw new Error(`${call.operation} cannot be read`);
    collector.add(exchange, checker.check(exchange));
  }
  return collector.report;
}

/** Every finding above a notice, one per line. */
export function lines({ findings }: Report): string[] {
  const reported = findings.filter(({ severity }) => severity !== 'notice');
  return reported.map(({ severity, code, operation, pointer, expected, actual, basis }) => {
    return `${severity} ${operation} ${code} ${pointer}: ${expected}, found ${actual} (${basis})`;
  });
}
