import type { AssetCall, AssetReply, AssetSite } from '../asset-call.ts';

/** A style sheet, script or icon under its present name (OP-98). */
export async function getAsset({ assets }: AssetSite, call: AssetCall<'getAsset'>): Promise<AssetReply<'getAsset'>> {
  const asset = assets.get(call.path.name);
  if (asset === undefined) return { kind: 'not_found' };
  const { type, text, gzip } = asset;
  return { status: 200, type, text, gzip };
}
