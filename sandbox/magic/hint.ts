import { magicCustomers, magicItems } from './table.ts';

const names: ReadonlySet<string> = new Set([...magicItems, ...magicCustomers].map(({ value }) => value));

/** Names the magic values in a call that failed, and where the docs say what they do; undefined where there is none. */
export function magicHint(request: unknown): string | undefined {
  const found = [...new Set(texts(request))].filter((text) => names.has(text));
  if (found.length === 0) return undefined;
  return found.map((name) => `magic value ${name}, see docs/magic-values.md#${name.toLowerCase()}`).join('; ');
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}
