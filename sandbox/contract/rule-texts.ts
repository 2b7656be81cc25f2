import type { ErrorObject } from 'ajv/dist/2020.js';
import { unknownName } from './nearest.ts';

/** Describes a violated rule as a predicate for a field name, such as `must be a string` or `is required`. */
export function ruleText({ keyword, params, parentSchema, message }: ErrorObject): string {
  const { limit } = params;
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return unknownName(params.additionalProperty, Object.keys(parentSchema?.properties ?? {}), 'field');
    case 'unevaluatedProperties':
      return unknownName(params.unevaluatedProperty, [], 'field');
    case 'type':
      return `must be ${[params.type].flat().map(nounOf).join(' or ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'enum':
      return `must be one of ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ')}`;
    case 'pattern': {
      const { description } = parentSchema as { description?: string };
      return `must match ${params.pattern}${description === undefined ? '' : ` (${description})`}`;
    }
    case 'format':
      return `must be ${formats[params.format] ?? `in the format ${params.format}`}`;
    case 'minimum':
      return `must be at least ${numberText(limit)}`;
    case 'maximum':
      return `must be at most ${numberText(limit)}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`;
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${counted(limit, 'item')}`;
    case 'minProperties':
      return `must have at least ${counted(limit, 'field')}`;
    case 'maxProperties':
      return `must have at most ${counted(limit, 'field')}`;
    case 'uniqueItems':
      return 'must not have the same item twice';
    default:
      return message ?? 'is not valid';
  }
}

/** JSON Schema types whose article is `an`. */
const nouns: Readonly<Record<string, string>> = { array: 'an array', integer: 'an integer', object: 'an object' };

function nounOf(type: string): string {
  return nouns[type] ?? (type === 'null' ? type : `a ${type}`);
}

/** Readable descriptions of the formats that the contracts use. */
const formats: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-01-31',
  'date-time': 'a date and time such as 2026-01-31T09:30:00Z',
  uri: 'a URL such as https://example.com/path',
};

function numberText(number: number): string {
  return number.toLocaleString('en');
}

function counted(number: number, noun: string): string {
  return `${numberText(number)} ${noun}${number === 1 ? '' : 's'}`;
}
