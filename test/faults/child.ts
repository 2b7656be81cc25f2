/**
 * A sandbox in a separate process that kills itself before a chosen file system call. Usage: `node child.ts <sandbox options as JSON>`,
 * with an IPC channel to order a kill later.
 */
import { argv } from 'node:process';
import { type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { withFaults } from '../harness/faulty-files.ts';

/** Startup options. The process kills itself before file system call number `killBefore`, counted from 1. */
export interface ChildOptions extends Pick<SandboxOptions, 'dataDir' | 'checkpointAfterBytes' | 'outgoing' | 'store'> {
  readonly killBefore?: number;
  /** The key in hexadecimal. */
  readonly keyText?: string;
}

/** An order to the running process: to kill itself before the n-th call from now on, or to stop as if after a signal. */
export type Order = { readonly killBefore: number } | 'stop';

const [, , text = '{}'] = argv;
const { killBefore, keyText, ...options } = JSON.parse(text) as ChildOptions;
let remainingCalls = killBefore ?? Number.POSITIVE_INFINITY;
const files = withFaults(diskFiles, () => {
  remainingCalls -= 1;
  if (remainingCalls === 0) process.kill(process.pid, 'SIGKILL');
});
const key = keyText === undefined ? {} : { key: Buffer.from(keyText, 'hex') };
const sandbox = await startSandbox({ port: 0, clock: 'frozen', files, ...key, ...options });
process.on('message', (order: Order) => {
  if (order === 'stop') return void sandbox.close().then(() => process.exit(0));
  remainingCalls = order.killBefore;
  process.send?.('armed');
});
process.once('disconnect', () => process.exit(1));
console.log(JSON.stringify(sandbox.workspace.urls));
