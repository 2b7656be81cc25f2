/** Supports tests of outgoing calls without a sandbox. */
import type { OwnPlaces } from '../../sandbox/http-client/connecting.ts';

/** The addresses of a caller outside any sandbox. No address leads back to the caller. */
export const nowhere: OwnPlaces = { port: () => undefined, proxyPort: undefined, addresses: () => [] };
