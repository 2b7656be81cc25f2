/** Lists the published contracts for client generators. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault, root } from './tool.ts';

export interface PublishedContract {
  readonly name: string;
  readonly file: string;
  readonly operationIds: readonly string[];
}

/** Returns all contracts that have a version for generators. */
export function published(): readonly PublishedContract[] {
  const files = globSync('generated/*/generators.json', { cwd: root }).sort();
  if (files.length === 0) throw new Fault('no contract is published for generators: generated/*/generators.json');
  return files.map((path) => {
    const file = join(root, path);
    const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Record<string, unknown>> };
    const operations = Object.values(paths).flatMap((item) => Object.values(item) as { operationId?: string }[]);
    return {
      name: dirname(path).replace('generated/', ''),
      file,
      operationIds: operations.flatMap(({ operationId }) => operationId ?? []),
    };
  });
}
