import { advice } from './advice.ts';
import type { Rating } from './change.ts';
import type { Use } from './operations.ts';
import type { Difference } from './redocly-diff.ts';

export interface Rated {
  readonly rating: Rating;
  readonly sentence: string;
  readonly must?: string;
}

/** What nobody sees on the wire: words, examples, and where a part of the contract is kept. */
const documentation = new Set([
  ...['description', 'summary', 'title', 'example', 'examples', 'value', 'externalDocs', 'tags', 'x-basis', 'key'],
  ...['contact', 'license', 'termsOfService', '$comment'],
]);
const documentationTypes = new Set(['Example', 'ExamplesMap', 'Tag', 'TagList', 'Info', 'ExternalDocs']);

/** `required`: of a property that a schema gained or lost together with its place in `required`. */
export type Counted = Difference & { readonly required?: boolean };

/** What a difference concerns. */
export interface Concerned {
  readonly uses: readonly Use[];
  /** The name of the parameter that it is in. */
  readonly parameter: string | undefined;
}

/**
 * Tells a new required property, and one that is gone, once: drops the change of `required` where it has no other reason.
 */
export function counted(differences: readonly Difference[]): Counted[] {
  const covered = new Map<string, boolean>();
  const left = differences.filter((difference) => {
    if (difference.typeName !== 'Schema' || difference.property !== 'required') return true;
    const names = new Set([difference.base?.value ?? [], difference.revision?.value ?? []].flat() as string[]);
    const [before, after] = [difference.base?.value ?? [], difference.revision?.value ?? []] as [string[], string[]];
    const changed = [...names].filter((name) => before.includes(name) !== after.includes(name));
    const places = changed.map((name) => `${difference.path}/properties/${name}`);
    const known = places.filter((place) => differences.some(({ path, kind }) => path === place && kind !== 'modified'));
    if (known.length < places.length) return true;
    for (const place of places) covered.set(place, difference.impact === 'major');
    return false;
  });
  return left.map((difference) => {
    const required = covered.get(difference.path);
    return required === undefined ? difference : { ...difference, required };
  });
}

/** Rates a difference. Answers undefined for what is no change of the contract: its version, and parts that nothing uses. */
export function rated(difference: Counted, concerned: Concerned): Rated | undefined {
  const { path, typeName, property = '', kind, verdicts, impact } = difference;
  if (typeName === 'Info' && property === 'version') return undefined;
  if (/^#\/components\/(?!securitySchemes\/)/.test(path)) return undefined;
  if (typeName === 'SecurityScheme' && kind !== 'modified') return undefined;
  const own = ownRule(difference, concerned);
  if (own !== undefined) return { rating: 'breaking', ...own };
  const [verdict] = verdicts;
  const side = concerned.uses.some((use) => use.side === 'sent') ? 'sent' : 'read';
  if (impact === 'major' && verdict !== undefined)
    return { rating: 'breaking', sentence: verdict.message, must: advice(verdict.ruleId, side) };
  const words = documentation.has(property) || documentationTypes.has(typeName);
  const renamed = typeName === 'Parameter' && property === 'name';
  return {
    rating: words || renamed ? 'documentation' : 'additive',
    sentence: sentence(difference, concerned.parameter),
  };
}

/** What breaks a partner beyond what Redocly's rules say. */
function ownRule(difference: Counted, { uses, parameter }: Concerned): Omit<Rated, 'rating'> | undefined {
  const { path, typeName, property, kind, impact, base, revision } = difference;
  const sent = uses.some(({ side }) => side === 'sent');
  const read = uses.some(({ side }) => side === 'read');
  const name = nameOf(path);
  if (difference.required === true && kind === 'added')
    return { sentence: `Required property \`${name}\` was added.`, must: 'Send it.' };
  if (sent && impact !== 'major' && typeName === 'Schema' && kind === 'removed' && path.endsWith(`/properties/${name}`))
    return { sentence: `Property \`${name}\` is no longer read.`, must: 'Stop sending it: it has no effect.' };
  if (sent && property === 'default' && base?.value !== undefined)
    return { sentence: `The default of \`${parameter ?? name}\` changed.`, must: 'Send the value that you mean.' };
  if (sent && typeName === 'RequestBody' && kind === 'added' && isRequired(revision?.value))
    return { sentence: 'A request body became required.', must: 'Send it.' };
  if (typeName !== 'Header') return undefined;
  if (read && property === 'required' && base?.value === true)
    return { sentence: `Header \`${name}\` may be missing.`, must: 'Do without it.' };
  if (sent && (property === 'required' ? revision?.value === true : isRequired(revision?.value)))
    return { sentence: `Header \`${name}\` became required.`, must: 'Send it.' };
  return undefined;
}

function isRequired(value: unknown): boolean {
  return (value as { readonly required?: unknown } | undefined)?.required === true;
}

function sentence(difference: Difference, parameter: string | undefined): string {
  const { kind, property } = difference;
  if (kind !== 'modified') return `${noun(difference, parameter)} was ${kind}.`;
  const what = noun(difference, parameter);
  return `\`${property === 'key' ? 'name' : property}\` of ${what.charAt(0).toLowerCase()}${what.slice(1)} changed.`;
}

const nouns: Readonly<Record<string, string>> = {
  PathItem: 'Path',
  Response: 'Reply',
  MediaType: 'Media type',
};

/** What a difference is about, in words. */
function noun({ typeName, path, base, revision }: Difference, parameter: string | undefined): string {
  const name = nameOf(path);
  if (typeName === 'Operation')
    return `Operation \`${name.toUpperCase()} ${nameOf(path.slice(0, path.lastIndexOf('/')))}\``;
  if (typeName === 'Info') return 'The contract';
  if (typeName === 'Schema' && path.endsWith(`/properties/${name}`)) return `Property \`${name}\``;
  if (parameter !== undefined) return `Parameter \`${parameter}\``;
  if (typeName === 'Schema') {
    const [, component] = /^#\/components\/schemas\/([^/]+)/.exec((revision ?? base)?.pointer ?? '') ?? [];
    return component === undefined ? 'The schema' : `Schema \`${component}\``;
  }
  return `${nouns[typeName] ?? typeName.replace(/([a-z])([A-Z])/g, '$1 $2')} \`${name}\``;
}

function nameOf(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
