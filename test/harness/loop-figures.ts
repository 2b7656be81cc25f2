/** Preloaded into the command with `--import`. On each SIGUSR2, prints the event loop delays since the previous signal, and peak memory. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process, { resourceUsage } from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** Event loop delays in milliseconds, and peak memory in bytes. */
export interface LoopFigures {
  readonly p99: number;
  readonly longest: number;
  readonly mostMemory: number;
}

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let readings = 0;
  process.on('SIGUSR2', () => {
    readings += 1;
    const figures: LoopFigures = {
      p99: Math.round(delay.percentile(99) / 1e6),
      longest: Math.round(delay.max / 1e6),
      mostMemory: resourceUsage().maxRSS * 1024,
    };
    console.log(`figures ${readings} ${JSON.stringify(figures)}`);
    delay.reset();
  });
}
