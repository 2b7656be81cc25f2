import type { CallFinding } from '../activity-log/activity-entry.ts';
import { loadContract } from '../contract/schemas.ts';
import type { Verdict } from './checker.ts';
import type { Exchange } from './exchange.ts';
import { cut, type Finding } from './finding.ts';

/** Most findings of one entry that are read, and most characters of an address, a pointer or a file. */
const most = { findings: 20, characters: 1000 };

/**
 * The verdict on a call of an exported log, with what was found when it was logged: the export has no headers, and masks
 * what was judged then. Anybody may have written the export.
 */
export function withRecorded(verdict: Verdict, exchange: Exchange, entry: unknown): Verdict {
  const { findings } = (entry ?? {}) as { readonly findings?: unknown };
  if (!Array.isArray(findings)) return verdict;
  const check = loadContract('sandbox').schemas.check('/components/schemas/CallFinding');
  const recorded = (findings.slice(0, most.findings) as readonly CallFinding[])
    .filter((found) => check(found) === undefined)
    .map((found) => recordedFinding(found, verdict, exchange));
  // A message with recorded findings was validated whole: what is masked now adds nothing.
  const validated = new Set(recorded.map(({ direction }) => direction));
  const others = verdict.findings.filter(({ direction }) => !validated.has(direction));
  return { ...verdict, findings: [...recorded, ...others] };
}

function recordedFinding(found: CallFinding, { operation }: Verdict, { method, url, reply, trace }: Exchange): Finding {
  const { api, pointer, expected, actual, contract } = found;
  return {
    ...found,
    api: cut(api),
    pointer: cut(pointer, most.characters),
    expected: cut(expected, most.characters),
    actual: cut(actual, most.characters),
    contract: { ...contract, file: cut(contract.file, most.characters) },
    operation: operation?.operationId ?? null,
    method: cut(method),
    url: cut(url, most.characters),
    status: reply?.status ?? null,
    trace: trace === undefined ? null : cut(trace),
    times: 1,
  };
}
