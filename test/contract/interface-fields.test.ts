/** Compares the record fields in the interface with the contracts. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { at, follow, type Node } from '../../sandbox/contract/document.ts';

const text = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8');

/** Returns the field names and types in a statement's table. */
function statedFields(id: string): Record<string, string> {
  const table = text.split(`- **${id}** `)[1]?.split('\n- **')[0] ?? '';
  const rows = [...table.matchAll(/^ {2}\| `([\w.]+)` \| ([a-z ]+) \|/gm)];
  return Object.fromEntries(rows.map(([, name, type]) => [name, type]));
}

/** Returns the field names and types in the schema at a JSON pointer. A nested field's name includes its parent's. */
function documentedFields(document: Node, pointer: string): Record<string, string> {
  const { properties } = at(document, pointer) as { properties: Record<string, unknown> };
  const fields = Object.keys(properties).flatMap((name) => {
    const place = follow(document, `${pointer}/properties/${name}`);
    const type = typeAt(document, place);
    if (type !== 'object') return [[name, type]];
    return Object.entries(documentedFields(document, place)).map(([inner, of]) => [`${name}.${inner}`, of]);
  });
  return Object.fromEntries(fields);
}

/** Returns the type of a schema. A schema that only annotates another has the other's type. */
function typeAt(document: Node, pointer: string): string {
  const place = follow(document, pointer);
  const { type } = at(document, place) as { type?: string | string[] };
  return type === undefined ? typeAt(document, `${place}/allOf/0`) : [type].flat().join(' or ');
}

it.each([
  ['rewards', 'EgvFields', ['R1', 'R4']],
  ['rewards', 'PhysicalFields', ['R1', 'R5']],
  ['rewards', 'CataloguePage', ['R6']],
  ['rewards', 'Voucher', ['R22']],
  ['rewards', 'FlatError', ['X5']],
  ['client', 'Profile', ['R8']],
  ['client', 'Points', ['R10']],
  ['client', 'RedemptionRecord', ['R11']],
  ['client', 'CreditPointsEvent', ['R18']],
  ['client', 'StatusUpdate', ['B10']],
  ['client', 'ClientError', ['X1']],
] as const)(
  'B10, R1, R4, R5, R6, R8, R10, R11, R18, R22, X1, X5: %s, %s: exactly the stated fields, with their types',
  (contract, name, ids) => {
    const bundle = new URL(`../../generated/${contract}/bundle.json`, import.meta.url);
    const document: Node = JSON.parse(readFileSync(bundle, 'utf8'));
    const tables = ids.map(statedFields);
    expect(tables.filter((fields) => Object.keys(fields).length < 2)).toEqual([]);
    expect(documentedFields(document, `/components/schemas/${name}`)).toEqual(Object.assign({}, ...tables));
  },
);
