import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Freezes the certification requirements as the edition for a version, such as `1.0` for 1.0.3. Copies the current
 * requirements unchanged, and records their SHA-256. Never changes an existing edition. Returns the written files.
 *
 * @param folder the folder of the editions
 */
export function freezeRequirements(folder: string, version: string): readonly string[] {
  const [edition = ''] = /^\d+\.\d+/.exec(version) ?? [];
  const frozen = join(folder, `${edition}.yaml`);
  if (existsSync(frozen)) return [];
  const current = readFileSync(join(folder, 'current.yaml'));
  const digests = join(folder, 'released.json');
  const earlier = existsSync(digests) ? JSON.parse(readFileSync(digests, 'utf8')) : {};
  const all = { ...earlier, [edition]: createHash('sha256').update(current).digest('hex') };
  writeFileSync(frozen, current);
  writeFileSync(digests, `${JSON.stringify(all, null, 2)}\n`);
  return [frozen, digests];
}
