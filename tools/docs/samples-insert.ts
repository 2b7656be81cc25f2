import { contractsOf } from '../../sandbox/apis/registry.ts';
import { operationLink, operationsOf, readBundle } from './bundles.ts';
import { samplesOf } from './samples.ts';

/** Returns a call of an operation in each language, as tabs for a guide. Throws if no program calls the operation. */
export function samplesInsert(id: string): string {
  for (const api of contractsOf(({ calledBy }) => calledBy === 'programs')) {
    const bundle = readBundle(api);
    const found = operationsOf(bundle).find(({ operation }) => operation.operationId === id);
    if (found === undefined) continue;
    const tabs = samplesOf({ bundle, api, ...found }).map(
      ({ lang, label, source }) => `\`\`\`${lang} [${label}]\n${source.trim()}\n\`\`\``,
    );
    const link = `[\`${id}\`](${operationLink(api, found.operation)})`;
    return `The call ${link}, by program; credentials are in the environment:\n\n::: code-group\n\n${tabs.join('\n\n')}\n\n:::`;
  }
  throw new Error(`No program calls an operation ${id}.`);
}
