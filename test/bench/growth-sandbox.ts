/**
 * The process that `growth.ts` measures: one sandbox on a durable store, from the given checkout, with
 * figures that it sends on request. Usage: `node growth-sandbox.ts <checkout> <data folder>`, with an IPC
 * channel.
 */
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process, { argv, exit, memoryUsage } from 'node:process';
import { pathToFileURL } from 'node:url';
import type { startSandbox } from '../../sandbox/sandbox.ts';

/** The figures of one stage. Sizes in bytes, times in milliseconds. */
export interface Figures {
  /** The largest memory of the process, sampled every 50 ms. */
  readonly mostMemory: number;
  readonly memory: number;
  readonly longestBlock: number;
}

/** The message that it sends once it is ready. */
export interface Ready {
  readonly urls: Readonly<Record<'rewards' | 'sandbox', string>>;
  readonly token: string;
}

const [, , checkout = '.', dataDir = ''] = argv;
const entry = pathToFileURL(join(checkout, 'sandbox/sandbox.ts')).href;
const { startSandbox: start } = (await import(entry)) as { startSandbox: typeof startSandbox };
const sandbox = await start({ port: 0, dataDir, key: new Uint8Array(32).fill(7), clock: 'frozen' });

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let most = 0;
setInterval(() => {
  most = Math.max(most, memoryUsage.rss());
}, 50);

const answers = {
  begin: () => {
    delay.reset();
    most = memoryUsage.rss();
    return {};
  },
  read: (): Figures => ({
    mostMemory: Math.max(most, memoryUsage.rss()),
    memory: memoryUsage.rss(),
    longestBlock: delay.max / 1e6,
  }),
};

process.on('message', (question: keyof typeof answers | 'close') => {
  if (question !== 'close') return void process.send?.(answers[question]());
  void sandbox.close().then(() => exit(0));
});
const { rewards, sandbox: control } = sandbox.workspace.urls;
const ready: Ready = { urls: { rewards, sandbox: control }, token: await sandbox.companyToken() };
process.send?.(ready);
