/** The shape of an operation's replies, gathered over all of them: fields, types and formats. */

import { escapePointer } from '../contract/document.ts';
import { getOrCreate } from '../runtime/caches.ts';

interface Place {
  /** Number of values at this location, and how many of them were objects. */
  values: number;
  objects: number;
  readonly types: Set<string>;
  readonly formats: Set<string>;
}

/** A difference between two shapes at one location. */
export interface ShapeDifference {
  /** JSON pointer, with `*` for any item of a list. */
  readonly place: string;
  readonly kind: 'absent' | 'additional' | 'type' | 'format';
  readonly sandbox: string;
  readonly recorded: string;
}

/** Date and time formats that programs parse. */
const formats: readonly (readonly [string, RegExp])[] = [
  ['a time such as 2026-01-31T10:00:00Z', /^\d{4}-\d\d-\d\dT\d\d:\d\d/],
  ['a time such as 2026-01-31 10:00:00', /^\d{4}-\d\d-\d\d \d\d:\d\d/],
  ['a date such as 2026-01-31', /^\d{4}-\d\d-\d\d$/],
  ['a date such as 31/01/2026', /^\d{1,2}\/\d{1,2}\/\d{4}$/],
  ['a date such as 31-01-2026', /^\d{1,2}-\d{1,2}-\d{4}$/],
];

/** The combined shape of several JSON values. */
export class Shape {
  readonly places = new Map<string, Place>();

  /** Adds a value and everything nested in it. */
  add(value: unknown, pointer = ''): void {
    const empty = (): Place => ({ values: 0, objects: 0, types: new Set(), formats: new Set() });
    const place = getOrCreate(this.places, pointer, empty);
    place.values += 1;
    if (value !== null) place.types.add(Array.isArray(value) ? 'array' : typeof value);
    const format = typeof value === 'string' ? formats.find(([, pattern]) => pattern.test(value)) : undefined;
    if (format !== undefined) place.formats.add(format[0]);
    if (Array.isArray(value)) for (const item of value) this.add(item, `${pointer}/*`);
    else if (typeof value === 'object' && value !== null) {
      place.objects += 1;
      for (const [name, field] of Object.entries(value)) this.add(field, `${pointer}/${escapePointer(name)}`);
    }
  }

  /** Returns the numbers of objects that could contain a field, and that do contain it. */
  presence(pointer: string): { readonly possible: number; readonly present: number } {
    const around = this.places.get(pointer.slice(0, pointer.lastIndexOf('/')));
    return { possible: around?.objects ?? 0, present: this.places.get(pointer)?.values ?? 0 };
  }
}

/**
 * Returns the differences between two shapes. A field that appears in only some objects of one side may depend on their content.
 * Such a field is a difference only if the contract does not document it.
 *
 * @param isDocumented returns whether the contract documents a location
 */
export function shapeDifferences(
  sandbox: Shape,
  recorded: Shape,
  isDocumented: (place: string) => boolean,
): readonly ShapeDifference[] {
  const all = new Set([...sandbox.places.keys(), ...recorded.places.keys()]);
  return [...all].flatMap((place) => {
    const [own, other] = [sandbox.places.get(place), recorded.places.get(place)];
    return own === undefined || other === undefined
      ? presenceDifference(place, sandbox, recorded, isDocumented(place))
      : [
          ...wordDifference(place, 'type', own.types, other.types),
          ...wordDifference(place, 'format', own.formats, other.formats),
        ];
  });
}

/** Returns the difference for a field that only one side has, if it is significant. */
function presenceDifference(place: string, sandbox: Shape, recorded: Shape, isDocumented: boolean): ShapeDifference[] {
  const [ours, theirs] = [sandbox.presence(place), recorded.presence(place)];
  if (ours.possible === 0 || theirs.possible === 0) return [];
  if (ours.present === ours.possible) return [{ place, kind: 'absent', sandbox: 'present', recorded: 'absent' }];
  const counts = theirs.present === theirs.possible || (theirs.present > 0 && !isDocumented);
  return counts ? [{ place, kind: 'additional', sandbox: 'absent', recorded: 'present' }] : [];
}

/** Returns a difference if the two sides have no type or format in common. */
function wordDifference(
  place: string,
  kind: 'type' | 'format',
  ours: ReadonlySet<string>,
  theirs: ReadonlySet<string>,
): ShapeDifference[] {
  if (ours.size === 0 || theirs.size === 0 || !ours.isDisjointFrom(theirs)) return [];
  return [{ place, kind, sandbox: [...ours].join(' or '), recorded: [...theirs].join(' or ') }];
}
