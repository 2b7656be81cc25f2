/** Findings in the replies of the client, as tests compare them. */
import type { components } from '../../generated/sandbox/types.ts';

type Schemas = components['schemas'];
type Item = Schemas['ActivityList']['items'][number];

/** What a finding says, without who hosts the operation and where the contract says it. */
export function summaryOf({ code, severity, basis, pointer, expected, actual }: Schemas['CallFinding']) {
  return { code, severity, basis, pointer, expected, actual };
}

/** The findings in the replies to the sandbox's own calls, by operation. */
export function replyFindings(items: readonly Item[]) {
  return items.flatMap((item) =>
    item.kind === 'call_out' && item.findings !== undefined
      ? [[item.operation, item.findings.map(summaryOf)] as const]
      : [],
  );
}
