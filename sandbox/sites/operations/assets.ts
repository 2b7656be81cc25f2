import type { operations } from '../../../generated/assets/types.ts';
import type { Call, DocumentedFailure, Reply } from '../../contract/types.ts';
import type { Asset } from '../assets.ts';
import type { pageTable, WebFailure } from '../failures.ts';

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

/** A style sheet, script or icon under its present name (OP-98). */
export async function getAsset({ assets }: AssetSite, call: AssetCall<'getAsset'>): Promise<AssetReply<'getAsset'>> {
  const asset = assets.get(call.path.name);
  if (asset === undefined) return { kind: 'not_found' };
  const { type, text, gzip } = asset;
  return { status: 200, type, text, gzip };
}
