import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { toolForms } from './vitest.config.ts';

/** Tests that need another language than Node and Python; `npm run test:tools` runs them where the machine has it. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: [toolForms],
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
