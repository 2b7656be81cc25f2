/** Mutants of a recording: each breaks one statement in one place. Operators make them, one for each place there is. */
import type { Call, Json } from './recording.ts';

export interface Mutant {
  /** The statements that name what is broken: the finding has to rest on one of them. */
  readonly statements: readonly string[];
  readonly party: 'caller' | 'host';
  readonly title: string;
  readonly calls: readonly Call[];
}

/** Makes the mutants of a recording. */
export type Operator = (calls: readonly Call[]) => readonly Mutant[];

type Side = 'body' | 'reply';

/** The recording with one call changed, or with others in its place. */
function replaced(
  calls: readonly Call[],
  index: number,
  change: (call: Call) => Call | readonly Call[] | undefined,
): Call[] {
  const call = calls[index];
  if (call === undefined) return [...calls];
  const made = change(structuredClone(call));
  const others = made === undefined ? [] : Array.isArray(made) ? (made as readonly Call[]) : [made as Call];
  return [...calls.slice(0, index), ...others, ...calls.slice(index + 1)];
}

/** Where in the recording an operation is called and answered with this status; the first ones. */
function places(calls: readonly Call[], operation: string, status: number | undefined, most: number): number[] {
  const found = calls.flatMap((call, index) => (call.operation === operation && call.status === status ? [index] : []));
  return found.slice(0, most);
}

/** The holders of a path such as `data.*.pin` in a body, and the name of the last step. */
function holders(body: unknown, path: string): readonly [Json, string][] {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let values: unknown[] = [body];
  for (const step of steps)
    values = values.flatMap((value) => (step === '*' ? (value as unknown[]) : [(value as Json | undefined)?.[step]]));
  return values
    .filter((value): value is Json => typeof value === 'object' && value !== null)
    .map((value) => [value, last]);
}

export interface Where {
  readonly operation: string;
  readonly status?: number | undefined;
  readonly side: Side;
  readonly most?: number;
}

/** An operator that changes a value in the first messages that have it. */
export function change(
  statements: string,
  { operation, status = 200, side, most = 1 }: Where,
  path: string,
  how: string,
  make: (value: unknown, holder: Json) => unknown,
): Operator {
  return (calls) =>
    places(calls, operation, status, calls.length)
      .filter((index) => holders(calls[index]?.[side], path).some(([holder, name]) => holder[name] !== undefined))
      .slice(0, most)
      .map((index) => ({
        statements: statements.split(' '),
        party: side === 'body' ? 'caller' : 'host',
        title: `${operation} ${side} ${path}: ${how}`,
        calls: replaced(calls, index, (call) => {
          const [[holder, name] = [undefined, '']] = holders(call[side], path).filter(
            ([one, key]) => one[key] !== undefined,
          );
          if (holder === undefined) return call;
          const made = make(holder[name], holder);
          if (made === undefined) delete holder[name];
          else holder[name] = made;
          return call;
        }),
      }));
}

/** Operators that drop each field, and give it another type. `nullable` fields may be null. */
export function fields(statements: string, where: Where, names: string, prefix = ''): Operator[] {
  return names.split(' ').flatMap((name) => {
    const path = `${prefix}${name}`;
    return [
      change(statements, where, path, 'left out', () => undefined),
      change(statements, where, path, 'of another type', otherType),
      change(statements, where, path, 'a list', (value) => (Array.isArray(value) ? 'many' : [])),
    ];
  });
}

function otherType(value: unknown): unknown {
  if (Array.isArray(value)) return {};
  if (typeof value === 'string') return 7;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return String(value);
  return value === null ? 7 : 'text';
}

/** An operator that changes whole calls: `change` gets a copy, and the recording that it is in. */
export function call(
  statements: string,
  party: Mutant['party'],
  operation: string,
  status: number | undefined,
  how: string,
  make: (call: Call, calls: readonly Call[]) => Call | readonly Call[] | undefined,
  most = 3,
): Operator {
  return (calls) =>
    places(calls, operation, status, calls.length)
      .flatMap((index) => {
        const changed = replaced(calls, index, (one) => make(one, calls));
        // An operator leaves alone what it cannot break.
        if (JSON.stringify(changed) === JSON.stringify(calls)) return [];
        return [{ statements: statements.split(' '), party, title: `${operation}: ${how}`, calls: changed }];
      })
      .slice(0, most);
}

/** An operator over the recording as a whole: undefined where there is nothing to break. */
export function whole(
  statements: string,
  party: Mutant['party'],
  title: string,
  make: (calls: Call[]) => readonly Call[] | undefined,
): Operator {
  return (calls) => {
    const made = make(structuredClone(calls) as Call[]);
    return made === undefined ? [] : [{ statements: statements.split(' '), party, title, calls: made }];
  };
}

/** A call as if it had been made later, after all others, or before them. */
export function moved(calls: readonly Call[], call: Call, to: 'end' | 'start'): readonly Call[] {
  const others = calls.filter((one) => one !== call);
  const took = call.end - call.start;
  const last = Math.max(...calls.map(({ end }) => end));
  const first = Math.min(...calls.map(({ start }) => start));
  const start = to === 'end' ? last + 1000 : first - took - 1000;
  const at = { ...call, start, end: start + took };
  return to === 'end' ? [...others, at] : [at, ...others];
}
