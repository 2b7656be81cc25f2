import { createRequire } from 'node:module';

/**
 * The `node:http` module, loaded with `require`. An `import` reads all its exports and so also loads Node's `fetch` and
 * `WebSocket`. These are not used here, and loading them slowed the start and cost 10 MB of memory.
 */
export const nodeHttp = createRequire(import.meta.url)('node:http') as typeof import('node:http');
