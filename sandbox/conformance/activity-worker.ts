/**
 * The check of activity logs, in a thread of its own: loading the contracts into Prism takes seconds and much memory,
 * and the sandbox goes on meanwhile. Started by `ActivityChecker`. What goes wrong here ends the thread, and it is
 * told.
 */
import { parentPort } from 'node:worker_threads';
import type { Answered, FoundInCall, LogQuestion, Noted } from './activity-checker.ts';
import { ActivityEntries } from './activity-export.ts';
import { Checker } from './checker.ts';
import { loadContractSet } from './contracts.ts';

if (parentPort === null) throw new Error('this runs as a thread of the sandbox only');
const port = parentPort;
const checker = new Checker(await loadContractSet());
/** What was read of each log: a call between two of its parties stands there twice. */
const logs = new Map<string, ActivityEntries>();

port.on('message', (asked: LogQuestion) => {
  if (asked.entries === undefined) {
    logs.delete(asked.log);
    return;
  }
  const log = logs.get(asked.log) ?? new ActivityEntries(checker.contracts);
  logs.set(asked.log, log);
  const findings: FoundInCall[] = [];
  let unchecked = 0;
  for (const noted of asked.entries) {
    const found = check(noted, log);
    if (found === undefined || found.some(({ severity }) => severity === 'notice')) unchecked += 1;
    findings.push(...(found ?? []).filter(({ severity }) => severity !== 'notice'));
  }
  port.postMessage({ id: asked.id, findings, unchecked } satisfies Answered);
});

/** What is found in a call; undefined where it cannot be read, as one that got a status that is none. */
function check({ entry, wire }: Noted, log: ActivityEntries): FoundInCall[] | undefined {
  const exchange = log.read(entry, wire);
  if (exchange === 'unreadable') return undefined;
  if (exchange === undefined || exchange === 'outside') return [];
  return checker.check(exchange).findings.map(({ times: _, ...found }) => ({ seq: entry.seq, ...found }));
}
