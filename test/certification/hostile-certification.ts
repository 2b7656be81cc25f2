/**
 * Certifies a hostile server in its own process, so that its memory is measured without that of other tests. Usage: `node
 * hostile-certification.ts <address>`. It prints the report and the most bytes of memory that the run added, as JSON.
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
