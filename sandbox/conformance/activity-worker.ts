/**
 * The check of activity logs, in a thread of its own: loading the contracts into Prism takes seconds and much memory,
 * and the sandbox goes on meanwhile. Started by `ActivityChecker`. What goes wrong here ends the thread, and it is
 * told.
 */
import { parentPort } from 'node:worker_threads';
import type { Answered, FoundInCall, LogQuestion, Noted } from './activity-checker.ts';
import { type ActivityEntries, operationsOf } from './activity-export.ts';
import { Checker } from './checker.ts';
import { loadContractSet } from './contracts.ts';
import { KnownLogs } from './known-logs.ts';

if (parentPort === null) throw new Error('this runs as a thread of the sandbox only');
const port = parentPort;
const checker = new Checker(await loadContractSet());
const logs = new KnownLogs(operationsOf(checker.contracts));

port.on('message', (asked: LogQuestion) => {
  if (asked.entries === undefined) {
    logs.forget(asked.log);
    return;
  }
  const log = logs.of(asked.log);
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
