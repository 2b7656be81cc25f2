/** Checks recordings as `check` does. */
import { Readable } from 'node:stream';
import { checkCapture } from '../../../sandbox/conformance/capture.ts';
import type { Report } from '../../../sandbox/conformance/finding-book.ts';
import { sharedChecker } from '../../harness/proxy.ts';
import { type Call, harOf } from './recording.ts';

/** The report of a recording; `complete` says that nothing is missing in it. */
export async function reportOf(calls: readonly Call[], complete = true): Promise<Report> {
  const options = { version: '0.0.0', addresses: {}, complete };
  return (await checkCapture(Readable.from([harOf(calls)]), await sharedChecker(), options)).report;
}

/** Everything that weighs more than a notice, in a line. */
export function lines({ findings }: Report): string[] {
  const told = findings.filter(({ severity }) => severity !== 'notice');
  return told.map(({ severity, code, operation, pointer, expected, actual, basis }) => {
    return `${severity} ${operation} ${code} ${pointer}: ${expected}, found ${actual} (${basis})`;
  });
}
