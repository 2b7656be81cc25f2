/** Formats the findings in the client's replies for comparison in tests. */
import type { components } from '../../generated/sandbox/types.ts';

type Schemas = components['schemas'];
type Item = Schemas['ActivityList']['items'][number];

/** Returns a finding without the operation's host and the location in the contract. */
export function summaryOf({ code, severity, basis, pointer, expected, actual }: Schemas['CallFinding']) {
  return { code, severity, basis, pointer, expected, actual };
}

/** Returns the findings in replies to the sandbox's own calls, by operation. */
export function replyFindings(items: readonly Item[]) {
  return items.flatMap((item) =>
    item.kind === 'call_out' && item.findings !== undefined
      ? [[item.operation, item.findings.map(summaryOf)] as const]
      : [],
  );
}
