import type { operations } from '../../generated/assets/types.ts';
import type { Envelope } from '../contract/envelopes.ts';
import type { Call, DocumentedFailure, Handlers, Reply } from '../contract/types.ts';
import type { Asset } from './assets.ts';
import { pageEnvelope, type pageTable, type WebFailure } from './failures.ts';
import { getAsset } from './operations/getAsset.ts';
import { pageHeaders, type Site } from './site.ts';

/** What the one operation of the assets works with. */
export interface AssetSite {
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Everybody may have the assets. */
export type AssetCaller = { readonly kind: 'anyone' };
export type AssetCall<Id extends keyof operations> = Call<operations[Id], AssetCaller>;
export type AssetReply<Id extends keyof operations> =
  | Reply<operations[Id]>
  | DocumentedFailure<operations[Id], WebFailure, typeof pageTable>;

/** One handler for each operation of assets.yaml. */
export const assetHandlers: Handlers<operations, AssetSite, AssetCaller, WebFailure, typeof pageTable> = {
  getAsset,
};

/** A file is kept for good under its name; that there is none is not. */
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
