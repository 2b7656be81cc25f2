/** Measures processor time, which barely depends on other load on the machine. */
import { threadCpuUsage } from 'node:process';

/** Returns the processor time that this thread spends on an action, in milliseconds. */
export function processorMilliseconds(action: () => unknown): number {
  const before = threadCpuUsage();
  action();
  const { user, system } = threadCpuUsage(before);
  return (user + system) / 1000;
}
