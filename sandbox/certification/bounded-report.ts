/** Limits the size of a stored report, however much a server returned (OP-205). */
import type { Failure, Report } from './verdict.ts';

/** Most bytes of a stored report, as JSON. */
export const mostReportBytes = 512 * 1024;
/** Most characters of a text that a server had a part in. */
const mostText = 500;

/** A report within the bound, and how many exchanges of its failures had to be left out for it. */
export function boundedReport(report: Report): { readonly report: Report; readonly exchangesLeftOut: number } {
  const bounded = {
    ...report,
    problem: cut(report.problem),
    verdicts: report.verdicts.map((verdict) => ({ ...verdict, reason: cut(verdict.reason) })),
    failures: report.failures.map(shortened),
    notes: report.notes.map(cut),
  };
  let room =
    mostReportBytes - bytes({ ...bounded, failures: bounded.failures.map((each) => ({ ...each, exchanges: [] })) });
  let exchangesLeftOut = 0;
  const fits = (exchange: unknown): boolean => {
    const size = bytes(exchange) + 1;
    const fit = size <= room;
    if (fit) room -= size;
    else exchangesLeftOut += 1;
    return fit;
  };
  const failures = bounded.failures.map((failure) => {
    // The last exchange is the deciding one.
    const exchanges = failure.exchanges.toReversed().filter(fits).toReversed();
    return { ...failure, exchanges };
  });
  return { report: { ...bounded, failures }, exchangesLeftOut };
}

function shortened(failure: Failure): Failure {
  const { message, expected, actual, pointer } = failure;
  const short = { message: cut(message), expected: cut(expected), actual: cut(actual), pointer: cut(pointer) };
  return { ...failure, ...short };
}

function cut<T extends string | null>(text: T): T {
  return text !== null && text.length > mostText ? (`${text.slice(0, mostText)}...` as T) : text;
}

function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
