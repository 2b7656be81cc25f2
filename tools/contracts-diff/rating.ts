import { advice } from './advice.ts';
import type { Rating } from './change.ts';
import { type Concerned, type Counted, nameOf, ownRule } from './own-rules.ts';
import type { Difference } from './redocly-diff.ts';

export interface Rated {
  readonly rating: Rating;
  readonly sentence: string;
  readonly must?: string;
}

/** Keywords that do not affect the wire format, such as descriptions, examples and the location of an element in the contract. */
const documentation = new Set([
  ...[
    'description',
    'summary',
    'title',
    'example',
    'examples',
    'value',
    'externalDocs',
    'tags',
    'x-basis',
    'x-basis-of',
    'key',
  ],
  ...['contact', 'license', 'termsOfService', '$comment'],
]);
const documentationTypes = new Set(['Example', 'ExamplesMap', 'Tag', 'TagList', 'Info', 'ExternalDocs']);

/** Merges a change to a `required` list into the differences of the affected properties, if all of these were added or removed. */
export function counted(differences: readonly Difference[]): Counted[] {
  const covered = new Map<string, boolean>();
  const left = differences.filter((difference) => {
    if (difference.typeName !== 'Schema' || difference.property !== 'required') return true;
    const names = new Set([difference.base?.value ?? [], difference.revision?.value ?? []].flat() as string[]);
    const [before, after] = [difference.base?.value ?? [], difference.revision?.value ?? []] as [string[], string[]];
    const changed = [...names].filter((name) => before.includes(name) !== after.includes(name));
    const places = changed.map((name) => `${difference.path}/properties/${name}`);
    const found = places.filter((place) => differences.some(({ path, kind }) => path === place && kind !== 'modified'));
    if (found.length < places.length) return true;
    for (const place of places) covered.set(place, difference.impact === 'major');
    return false;
  });
  return left.map((difference) => {
    const required = covered.get(difference.path);
    return required === undefined ? difference : { ...difference, required };
  });
}

/** Rates a difference. Returns `undefined` for a difference that does not affect the contract, such as a new version number or an unused component. */
export function rated(difference: Counted, concerned: Concerned): Rated | undefined {
  const { path, typeName, property = '', kind, verdicts, impact } = difference;
  if (typeName === 'Info' && property === 'version') return undefined;
  if (/^#\/components\/(?!securitySchemes\/)/.test(path)) return undefined;
  if (typeName === 'SecurityScheme' && kind !== 'modified') return undefined;
  const own = ownRule(difference, concerned);
  if (own !== undefined) return { rating: 'breaking', ...own };
  const [verdict] = verdicts;
  if (impact === 'major' && verdict !== undefined)
    return { rating: 'breaking', sentence: verdict.message, must: advice(verdict.ruleId, concerned.uses) };
  const words = documentation.has(property) || documentationTypes.has(typeName);
  const renamed = typeName === 'Parameter' && property === 'name';
  return {
    rating: words || renamed ? 'documentation' : 'additive',
    sentence: sentence(difference, concerned.part),
  };
}

function sentence(difference: Difference, part: Concerned['part']): string {
  const { kind, property } = difference;
  if (kind !== 'modified') return `${noun(difference, part)} was ${kind}.`;
  const what = noun(difference, part);
  return `\`${property === 'key' ? 'name' : property}\` of ${what.charAt(0).toLowerCase()}${what.slice(1)} changed.`;
}

const nouns: Readonly<Record<string, string>> = {
  Info: 'The contract',
  RequestBody: 'The request body',
  MediaTypesMap: 'The body',
  HeadersMap: 'The headers',
};

const named: Readonly<Record<string, string>> = { PathItem: 'Path', Response: 'Reply', MediaType: 'Media type' };

/** Describes the subject of a difference in words. */
function noun({ typeName, path, base, revision }: Difference, part: Concerned['part']): string {
  const name = nameOf(path);
  if (typeName === 'Operation')
    return `Operation \`${name.toUpperCase()} ${nameOf(path.slice(0, path.lastIndexOf('/')))}\``;
  const fixed = nouns[typeName];
  if (fixed !== undefined) return fixed;
  if (typeName === 'Schema' && path.endsWith(`/properties/${name}`)) return `Property \`${name}\``;
  if (part !== undefined) return `${part.kind} \`${part.name}\``;
  if (typeName === 'Schema') {
    const [, component] = /^#\/components\/schemas\/([^/]+)/.exec((revision ?? base)?.pointer ?? '') ?? [];
    return component === undefined ? 'The schema' : `Schema \`${component}\``;
  }
  return `${named[typeName] ?? typeName.replace(/([a-z])([A-Z])/g, '$1 $2')} \`${name}\``;
}
