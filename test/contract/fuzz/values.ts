import { at, follow, type Node } from '../../../sandbox/contract/document.ts';
import type { LoadedContract } from '../../../sandbox/contract/schemas.ts';
import type { Draw } from '../../harness/drawing.ts';
import type { KnownValues } from './known.ts';

/** The sources of values: the contract, known values from replies, and the run's random choices. */
export interface Source {
  readonly contract: LoadedContract;
  readonly knownValues: KnownValues;
  readonly draw: Draw;
}

/** Narrow ranges for parameters that could delay a call, read the whole log or move the clock too far. */
const bounded: Readonly<Record<string, readonly [low: number, high: number]>> = {
  wait: [0, 0],
  seconds: [1, 600],
  limit: [1, 60],
  ms: [1, 20],
};

/** Generates a value that the schema at `pointer` accepts. `name` is the field or parameter name, for which a real value may be known. */
export function validValue(source: Source, pointer: string, name = ''): unknown {
  const { contract, knownValues, draw } = source;
  const place = follow(contract.bundle, pointer);
  const schema = at(contract.bundle, place) as Node;
  // `follow` does not resolve a reference that has a default next to it.
  if (typeof schema.$ref === 'string') return validValue(source, schema.$ref.slice(1), name);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return draw.pick(schema.enum);
  for (const word of ['oneOf', 'anyOf']) {
    const branches = schema[word];
    if (!Array.isArray(branches)) continue;
    return validValue(source, `${place}/${word}/${draw.integer(0, branches.length - 1)}`, name);
  }
  if (Array.isArray(schema.allOf)) return merged(source, place, schema.allOf.length, name);
  const types = [schema.type].flat();
  const real = types.includes('string') && draw.chance(70) ? knownValues.one(name, draw) : undefined;
  if (real !== undefined && contract.schemas.check(place)(real) === undefined) return real;
  switch (draw.pick(types)) {
    case 'object':
      return objectOf(source, place, schema);
    case 'array': {
      const { minItems = 0, maxItems = 4 } = schema as { minItems?: number; maxItems?: number };
      const length = draw.integer(minItems, Math.min(maxItems, minItems + 2));
      return Array.from({ length }, () => validValue(source, `${place}/items`, name));
    }
    case 'string':
      return textOf(draw, schema);
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 1_000_000 } = schema as { minimum?: number; maximum?: number };
      const [low, high] = bounded[name] ?? [minimum, draw.chance(60) ? Math.min(maximum, minimum + 50) : maximum];
      return draw.integer(low, high);
    }
    case 'boolean':
      return draw.chance(50);
    case 'null':
      return null;
    default:
      throw new Error(`no value can be made for ${contract.api}${place}`);
  }
}

function merged(source: Source, place: string, branches: number, name: string): unknown {
  const values = Array.from({ length: branches }, (_, index) => validValue(source, `${place}/allOf/${index}`, name));
  return branches === 1 ? values[0] : Object.assign({}, ...(values as object[]));
}

function objectOf(source: Source, place: string, schema: Node): Node {
  const required = new Set((schema.required ?? []) as readonly string[]);
  const names = Object.keys((schema.properties ?? {}) as Node).filter(
    (name) => required.has(name) || source.draw.chance(30),
  );
  return Object.fromEntries(
    names.map((name) => [name, validValue(source, `${place}/properties/${name}`, name)] as const),
  );
}

function textOf(draw: Draw, schema: Node): string {
  const { minLength = 0, maxLength = 40, pattern, format } = schema as Record<string, never>;
  if (format === 'date-time') return new Date(draw.integer(1_700_000_000, 1_800_000_000) * 1000).toISOString();
  // Names that do not resolve, and a port without a listener.
  if (format === 'uri') return draw.pick(['https://client.invalid/hook', 'http://127.0.0.1:9/', 'https://a.b.invalid']);
  if (pattern !== undefined) return draw.matching(pattern);
  return draw.text(minLength, Math.min(maxLength, minLength + 20));
}

/** Names with a special meaning to programs, and other hostile strings. */
export const oddTexts = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '../../etc/passwd', '\u0000', '\u202Eabc', '\uD800'],
  ...["' OR 1=1 --", '<script>', '{{7*7}}', ' ', '١٢٣', '1e9', 'null', 'x'.repeat(5000)],
];

const oddNumbers = [0, -1, 1.5, 1e300, 2 ** 53];
/** Values of every type, to use where another type is required. */
export const oddValues = [null, true, false, ...oddNumbers, '', 'text', [], [[]], {}, { a: 1 }, ...oddTexts];
