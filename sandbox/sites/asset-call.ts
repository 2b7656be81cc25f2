import type { operations } from '../../generated/assets/types.ts';
import type { Call, DocumentedFailure, Reply } from '../contract/types.ts';
import type { Asset } from './assets.ts';
import type { pageTable, WebFailure } from './failures.ts';

/** What the one operation of the assets works with. */
export interface AssetSite {
  readonly assets: Pick<ReadonlyMap<string, Asset>, 'get'>;
}

/** Everybody may have the assets. */
export type AssetCaller = { readonly kind: 'anyone' };
export type AssetCall<Id extends keyof operations> = Call<operations[Id], AssetCaller>;
export type AssetReply<Id extends keyof operations> =
  | Reply<operations[Id]>
  | DocumentedFailure<operations[Id], WebFailure, typeof pageTable>;
