import type { Use } from './operations.ts';

/**
 * Required actions, keyed by the Redocly rule that finds the change. The advice may differ between data that the
 * partner sends and data that it reads.
 */
const table: Readonly<Record<string, string | { readonly sent: string; readonly read: string }>> = {
  'operation-id-changed': 'Generate your client again, and use the new name in your code.',
  'parameter-removed': { sent: 'Stop sending it: it has no effect.', read: 'Do not rely on it.' },
  'parameter-became-required': 'Send it.',
  'parameter-serialization-changed': { sent: 'Send it in the new form.', read: 'Read it in the new form.' },
  'request-body-became-required': 'Send it.',
  'request-body-removed': { sent: 'Stop sending it: it has no effect.', read: 'Do not rely on it.' },
  'required-properties-added': 'Send them.',
  'required-properties-removed': 'Expect them to be missing.',
  'property-removed': { sent: 'Stop sending it.', read: 'Do not rely on it.' },
  'enum-values-added': 'Handle them.',
  'enum-values-removed': 'Send one of those that are left.',
  'schema-type-changed': { sent: 'Send the new type.', read: 'Read the new type.' },
  'schema-constraint-changed': { sent: 'Keep what you send within it.', read: 'Expect what it allows now.' },
  'schema-combinator-changed': { sent: 'Send what the new form allows.', read: 'Expect what the new form allows.' },
  'media-type-removed': { sent: 'Send one of those that are left.', read: 'Take one of those that are left.' },
  'response-removed': 'Do not wait for it.',
  'response-header-removed': 'Do without it.',
  'security-scheme-changed': 'Use the credential in the form of the contract.',
};

/**
 * Returns the required action for a breaking change in data that the partner sends, reads, or both. For an unknown
 * rule, the advice is to check the contract.
 */
export function advice(rule: string, uses: readonly Use[]): string {
  const entry = table[rule] ?? 'Hold your code against the new contract.';
  if (typeof entry === 'string') return entry;
  const sent = uses.some(({ side }) => side === 'sent');
  const read = uses.some(({ side }) => side === 'read') || !sent;
  return [...(sent ? [entry.sent] : []), ...(read ? [entry.read] : [])].join(' ');
}
