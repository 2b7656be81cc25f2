/** Reads fields of JSON that anybody may have written. A value that a capture has masked counts as unknown. */
import { isBlank } from '../../activity-log/masking.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; of anything else, none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The items of a list; undefined where it is none. */
export function itemsOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** A text that is there and not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !isBlank(value) ? value : undefined;
}

/** A whole number, also one written as text. */
export function wholeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Whether any text in a value is masked, so that nobody knows what the value holds. */
export function hasMasked(value: unknown): boolean {
  if (typeof value === 'string') return isBlank(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasMasked);
}

/** Every text and number in a value, with the name of its field, up to a bound. */
export function* leavesOf(value: unknown, name = '', budget = { left: 500 }): Generator<readonly [string, unknown]> {
  if (budget.left-- <= 0) return;
  if (typeof value !== 'object' || value === null) yield [name, value];
  else if (Array.isArray(value)) for (const item of value) yield* leavesOf(item, name, budget);
  else for (const [key, field] of Object.entries(value)) yield* leavesOf(field, key, budget);
}
