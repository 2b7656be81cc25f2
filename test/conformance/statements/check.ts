/** Checks recordings in the same way as the command `check`. */
import { Readable } from 'node:stream';
import { type CaptureOptions, checkCapture } from '../../../sandbox/conformance/capture.ts';
import type { Exchange } from '../../../sandbox/conformance/exchange.ts';
import { FindingCollector, type Report } from '../../../sandbox/conformance/finding-collector.ts';
import { fromHar } from '../../../sandbox/conformance/har.ts';
import { judgeTrace } from '../../../sandbox/conformance/statements/judge-trace.ts';
import { parseExchange } from '../../../sandbox/conformance/statements/parsed-exchange.ts';
import { traceEvent } from '../../../sandbox/conformance/statements/read-trace-event.ts';
import { Interned } from '../../../sandbox/conformance/statements/trace-event.ts';
import { sharedChecker } from '../../harness/proxy.ts';
import { type Call, entryOf } from './recording.ts';

/** Checks the text of a capture, as the command `check` does. */
export async function checkText(text: string, options: Partial<CaptureOptions> = {}): Promise<Report> {
  const source = Readable.from([text]);
  return (await checkCapture(source, sharedChecker(), { version: '0.0.0', addresses: {}, ...options })).report;
}

/** Converts a call to an exchange, via a HAR entry. */
export function exchangeOf(call: Call): Exchange {
  const exchange = fromHar(entryOf(call), {});
  if (typeof exchange === 'string' || 'kind' in exchange) throw new Error(`${call.operation} cannot be read`);
  return exchange;
}

/** Returns everything that trace rules observe in a recording, both violations and compliance. */
export function judged(calls: readonly Call[]) {
  const checker = sharedChecker();
  const interned = new Interned();
  const events = calls.flatMap((call, index) => {
    const parsed = parseExchange(call.operation, exchangeOf(call));
    return traceEvent(index + 1, parsed, { caller: false, host: false }, new Map(), interned) ?? [];
  });
  return judgeTrace(events, { complete: true, oneClock: true }, (id) => checker.operations.get(id)?.operation);
}

/** Builds the report on a recording. `complete` means that the recording omits nothing. */
export function reportOf(calls: readonly Call[], complete = true): Report {
  const checker = sharedChecker();
  const collector = new FindingCollector(checker, 'har', '0.0.0', undefined, { complete, oneClock: complete });
  for (const exchange of calls.map(exchangeOf)) collector.add(exchange, checker.check(exchange));
  return collector.report;
}

/** Formats every finding above a notice as one line. */
export function lines({ findings }: Report): string[] {
  const reported = findings.filter(({ severity }) => severity !== 'notice');
  return reported.map(({ severity, code, operation, pointer, expected, actual, basis }) => {
    return `${severity} ${operation} ${code} ${pointer}: ${expected}, found ${actual} (${basis})`;
  });
}
