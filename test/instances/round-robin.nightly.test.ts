/**
 * Runs tests that were written for one sandbox against three instances, and sends each call to the next instance
 * (OP-207).
 *
 * `npm run test:instances` runs about fifty files this way. This test runs only the most informative ones.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const program = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const files = [
  'test/journeys/journeys',
  'test/workspaces/isolation',
  'test/workspaces/own-tokens',
  'test/platform/idempotency',
  'test/platform/quota',
  'test/platform/orders.test',
  'test/faults/partner.test',
  'test/control/listener.test',
];

it('OP-207: journeys, isolation, own tokens, idempotency, quota, orders, faults and listeners work the same over three instances', async () => {
  const run = ['run', '--config', 'test/vitest.instances.config.ts', '--reporter', 'dot', ...files];
  const child = spawn(process.execPath, [program, ...run], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output = `${output}${text}`.slice(-20_000);
    });
  }
  const code = await new Promise((resolve) => void child.on('exit', resolve));
  expect(code === 0 ? '' : output).toBe('');
  expect(output).toMatch(/Tests\s+\d{2,} passed/);
});
