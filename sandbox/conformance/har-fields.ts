/** Reading what anybody may have written. */

/** The fields of a value; none where it has none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/**
 * A text, a number or a truth value as text; undefined for anything else: a list may be too deep to be made a text, and an
 * object may have its own idea of one.
 */
export function wordOf(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** A text; undefined where it is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
