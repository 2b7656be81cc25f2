/** Measures processor time, which other work on the machine changes little. */
import { threadCpuUsage } from 'node:process';

/** The processor time of this thread while an action runs, in milliseconds. */
export function processorMilliseconds(action: () => unknown): number {
  const before = threadCpuUsage();
  action();
  const { user, system } = threadCpuUsage(before);
  return (user + system) / 1000;
}
