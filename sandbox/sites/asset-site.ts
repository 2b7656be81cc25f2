import type { operations } from '../../generated/assets/types.ts';
import type { Envelope } from '../contract/envelopes.ts';
import type { Handlers } from '../contract/types.ts';
import { pageEnvelope, type pageTable, type WebFailure } from './failures.ts';
import type { AssetCaller, AssetSite } from './operations/assets.ts';
import { getAsset } from './operations/assets.ts';
import { pageHeaders, type Site } from './site.ts';

/** One handler for each operation of assets.yaml. */
export const assetHandlers: Handlers<operations, AssetSite, AssetCaller, WebFailure, typeof pageTable> = {
  getAsset,
};

/** A file is cached forever under its name; a 404 is not cached. */
export function assetEnvelope(site: Site): Envelope<WebFailure> {
  const pages = pageEnvelope(site, { kind: 'not_found' });
  return {
    ...pages,
    render(failure) {
      const { headers, ...rendered } = pages.render(failure);
      return { ...rendered, headers: { ...pageHeaders(site), ...headers } };
    },
    headers: () => ({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
    }),
  };
}
