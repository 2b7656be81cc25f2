/**
 * A sandbox in a process of its own, which can be killed before a chosen call to the file system. Usage: `node child.ts
 * <options of the sandbox as JSON>`, with an IPC channel where a kill is to be ordered later.
 */
import { argv } from 'node:process';
import { type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { withFaults } from '../harness/faulty-files.ts';

/** How it is started. `killBefore` is the call to the file system that it does not live to make, counted from 1. */
export interface ChildOptions extends Pick<SandboxOptions, 'dataDir' | 'checkpointAfterBytes' | 'outgoing' | 'store'> {
  readonly killBefore?: number;
  /** In hex. */
  readonly keyText?: string;
}

/** What it is told while it runs: when to die, counted from now on, or to stop as it does on a signal. */
export type Order = { readonly killBefore: number } | 'stop';

const [, , text = '{}'] = argv;
const { killBefore, keyText, ...options } = JSON.parse(text) as ChildOptions;
let left = killBefore ?? Number.POSITIVE_INFINITY;
const files = withFaults(diskFiles, () => {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
});
const key = keyText === undefined ? {} : { key: Buffer.from(keyText, 'hex') };
const sandbox = await startSandbox({ port: 0, clock: 'frozen', files, ...key, ...options });
process.on('message', (order: Order) => {
  if (order === 'stop') return void sandbox.close().then(() => process.exit(0));
  left = order.killBefore;
  process.send?.('armed');
});
process.once('disconnect', () => process.exit(1));
console.log(JSON.stringify(sandbox.workspace.urls));
