import { createRequire } from 'node:module';

/**
 * `node:http`. An `import` of it reads everything that it exports, and so loads what `fetch` and `WebSocket` of Node
 * need: nothing here uses these, and a start took longer for them and 10 MB more.
 */
export const nodeHttp = createRequire(import.meta.url)('node:http') as typeof import('node:http');
