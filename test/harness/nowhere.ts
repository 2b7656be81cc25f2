/** For tests of outgoing calls without a sandbox. */
import type { OwnPlaces } from '../../sandbox/http-client/connecting.ts';

/** For a caller that belongs to no sandbox: no address leads back to it. */
export const nowhere: OwnPlaces = { port: () => undefined, proxyPort: undefined, addresses: () => [] };
