import type { Use } from './operations.ts';
import type { Difference } from './redocly-diff.ts';

/**
 * A difference. `required` is set if a property and its entry in the `required` list were added or removed together.
 * The value is true if Redocly rates the change to that list as breaking.
 */
export type Counted = Difference & { readonly required?: boolean };

/** The uses, and the parameter or header, that a difference affects. */
export interface Concerned {
  readonly uses: readonly Use[];
  /** The parameter or header that contains the difference. */
  readonly part: { readonly kind: 'Parameter' | 'Header'; readonly name: string } | undefined;
}

interface Broken {
  readonly sentence: string;
  readonly must: string;
}

interface Facts extends Counted {
  /** The last segment of the path. */
  readonly name: string;
  /** The name of the parameter or header, or else the last path segment. */
  readonly label: string;
  readonly sent: boolean;
  readonly read: boolean;
}

/**
 * Breaking changes that Redocly's rules miss. Redocly rates parameters and bodies for callers only, but a partner that
 * hosts operations reads both. Other changes pass every validation but still break clients.
 */
const rules: readonly ((facts: Facts) => Broken | undefined)[] = [
  ({ required, kind, name }) =>
    when(required === true && kind === 'added', `Required property \`${name}\` was added.`, 'Send it.'),
  ({ sent, impact, typeName, kind, path, name }) =>
    when(
      sent && impact !== 'major' && typeName === 'Schema' && kind === 'removed' && path.endsWith(`/properties/${name}`),
      `Property \`${name}\` is no longer read.`,
      'Stop sending it: it has no effect.',
    ),
  ({ sent, property, base, label }) =>
    when(
      sent && property === 'default' && base?.value !== undefined,
      `The default of \`${label}\` changed.`,
      'Send the value that you mean.',
    ),
  // Request parameters and bodies.
  ({ typeName, property, base, revision, sent, label }) =>
    when(
      typeName === 'Parameter' && property === 'in',
      `Parameter \`${label}\` moved from ${base?.value} to ${revision?.value}.`,
      sent ? 'Send it there.' : 'Read it there.',
    ),
  ({ read, typeName, kind, label }) =>
    when(read && typeName === 'Parameter' && kind === 'removed', `Parameter \`${label}\` is no longer sent.`, without),
  ({ read, typeName, property, label }) =>
    when(
      read && typeName === 'Parameter' && ['style', 'explode', 'content'].includes(property ?? ''),
      `Parameter \`${label}\` is sent in another form.`,
      'Read it in the new form.',
    ),
  ({ read, typeName, property, base, label }) =>
    when(
      read && ['Parameter', 'Header'].includes(typeName) && property === 'required' && base?.value === true,
      `${typeName} \`${label}\` may be missing.`,
      without,
    ),
  ({ sent, typeName, kind, revision }) =>
    when(sent && typeName === 'RequestBody' && kind === 'added' && isRequired(revision), bodyRequired, 'Send it.'),
  ({ read, typeName, kind, property, base }) =>
    when(
      read && typeName === 'RequestBody' && (kind === 'removed' || (property === 'required' && base?.value === true)),
      'The request body may be missing.',
      without,
    ),
  ({ read, typeName, kind, path, name }) =>
    when(
      read && typeName === 'MediaType' && kind === 'added' && path.includes('/requestBody/'),
      `The request body may come as \`${name}\`.`,
      'Take it.',
    ),
  // Replies that the client sends.
  ({ sent, typeName, property, kind, revision, label }) =>
    when(
      sent && typeName === 'Header' && (kind === 'added' ? isRequired(revision) : becomes(property, revision)),
      `Header \`${label}\` became required.`,
      'Send it.',
    ),
  ({ sent, typeName, kind, revision }) =>
    when(
      sent && typeName === 'HeadersMap' && kind === 'added' && Object.values(revision?.value ?? {}).some(required),
      'Headers became required.',
      'Send them.',
    ),
  ({ sent, typeName, kind, path }) =>
    when(
      sent && typeName === 'MediaTypesMap' && kind === 'added' && path.includes('/responses/'),
      'The reply has a body now.',
      'Send it.',
    ),
];

const without = 'Do without it.';
const bodyRequired = 'A request body became required.';

/** Applies the rules in order and returns the first match, or `undefined` if no rule matches. */
export function ownRule(difference: Counted, { uses, part }: Concerned): Broken | undefined {
  const name = nameOf(difference.path);
  const sent = uses.some(({ side }) => side === 'sent');
  const read = uses.some(({ side }) => side === 'read');
  const facts = { ...difference, name, label: part?.name ?? name, sent, read };
  for (const rule of rules) {
    const broken = rule(facts);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

/** Returns the last segment of a JSON pointer, unescaped. */
export function nameOf(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

function when(holds: boolean, sentence: string, must: string): Broken | undefined {
  return holds ? { sentence, must } : undefined;
}

function becomes(property: string | undefined, revision: Difference['revision']): boolean {
  return property === 'required' && revision?.value === true;
}

function isRequired(side: Difference['revision']): boolean {
  return required(side?.value);
}

function required(value: unknown): boolean {
  return (value as { readonly required?: unknown } | null | undefined)?.required === true;
}
