/**
 * Certifies a hostile server in its own process, to measure memory without other tests. Prints the report and the peak
 * memory growth in bytes, as JSON.
 *
 * Usage: `node hostile-certification.ts <address>`.
 */
import { argv, memoryUsage, stdout } from 'node:process';
import { input, parts } from './hostile-input.ts';
import { runCertification } from './run.ts';

const before = memoryUsage.rss();
let most = before;
const measure = () => {
  most = Math.max(most, memoryUsage.rss());
};
const measuring = setInterval(measure, 20);
const report = await runCertification({ ...input, client_url: argv.at(-1) ?? '' }, parts);
clearInterval(measuring);
measure();
stdout.write(`${JSON.stringify({ report, addedBytes: most - before })}\n`);
