/** Creates mutants of a recording. Each violates one statement in one location. An operator makes one mutant per possible location. */
import type { Call, Json } from './recording.ts';

export interface Mutant {
  /** The violated statements. The finding must be based on one of them. */
  readonly statements: readonly string[];
  readonly party: 'caller' | 'host';
  readonly title: string;
  readonly calls: readonly Call[];
}

/** Creates the mutants of a recording. */
export type Operator = (calls: readonly Call[]) => readonly Mutant[];

type Side = 'body' | 'reply';

/** Changes one call in the recording, or replaces it with others. */
function replaceCall(
  calls: readonly Call[],
  index: number,
  change: (call: Call) => Call | readonly Call[] | undefined,
): Call[] {
  const call = calls[index];
  if (call === undefined) return [...calls];
  const result = change(structuredClone(call));
  const others = result === undefined ? [] : Array.isArray(result) ? (result as readonly Call[]) : [result as Call];
  return [...calls.slice(0, index), ...others, ...calls.slice(index + 1)];
}

/** Returns the indexes of the first calls of an operation that have this reply status. */
function callIndexes(calls: readonly Call[], operation: string, status: number | undefined, most: number): number[] {
  const indexes = calls.flatMap((call, index) =>
    call.operation === operation && call.status === status ? [index] : [],
  );
  return indexes.slice(0, most);
}

/** Returns the parent objects at a path such as `data.*.pin` in a body, each with the name of the last step. */
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

/** Creates an operator that changes a value in the first messages that contain it. */
export function change(
  statements: string,
  { operation, status = 200, side, most = 1 }: Where,
  path: string,
  how: string,
  make: (value: unknown, holder: Json) => unknown,
): Operator {
  return (calls) =>
    callIndexes(calls, operation, status, calls.length)
      .filter((index) => holders(calls[index]?.[side], path).some(([holder, name]) => holder[name] !== undefined))
      .slice(0, most)
      .map((index) => ({
        statements: statements.split(' '),
        party: side === 'body' ? 'caller' : 'host',
        title: `${operation} ${side} ${path}: ${how}`,
        calls: replaceCall(calls, index, (call) => {
          const [[holder, name] = [undefined, '']] = holders(call[side], path).filter(
            ([one, key]) => one[key] !== undefined,
          );
          if (holder === undefined) return call;
          const value = make(holder[name], holder);
          if (value === undefined) delete holder[name];
          else holder[name] = value;
          return call;
        }),
      }));
}

/** Creates operators that omit each field or change its type. */
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

/** Creates an operator that changes whole calls. `make` receives a copy of the call and its recording. */
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
    callIndexes(calls, operation, status, calls.length)
      .flatMap((index) => {
        const changed = replaceCall(calls, index, (one) => make(one, calls));
        // An operator skips calls that it cannot break.
        if (JSON.stringify(changed) === JSON.stringify(calls)) return [];
        return [{ statements: statements.split(' '), party, title: `${operation}: ${how}`, calls: changed }];
      })
      .slice(0, most);
}

type Make = Parameters<typeof call>[5];

/** Creates an operator that changes successful calls so that their caller is at fault. */
export function asked(statements: string, operation: string, how: string, make: Make, most?: number): Operator {
  return call(statements, 'caller', operation, 200, how, make, most);
}

/** Creates an operator that changes successful calls so that their host is at fault. */
export function answered(statements: string, operation: string, how: string, make: Make, most?: number): Operator {
  return call(statements, 'host', operation, 200, how, make, most);
}

/** Creates an operator on a whole recording. `make` returns `undefined` if it cannot break anything. */
export function whole(
  statements: string,
  party: Mutant['party'],
  title: string,
  make: (calls: Call[]) => readonly Call[] | undefined,
): Operator {
  return (calls) => {
    const mutated = make(structuredClone(calls) as Call[]);
    return mutated === undefined ? [] : [{ statements: statements.split(' '), party, title, calls: mutated }];
  };
}

/** Moves one call after, or before, all others. */
export function moved(calls: readonly Call[], call: Call, to: 'end' | 'start'): readonly Call[] {
  const others = calls.filter((one) => one !== call);
  const took = call.end - call.start;
  const last = Math.max(...calls.map(({ end }) => end));
  const first = Math.min(...calls.map(({ start }) => start));
  const start = to === 'end' ? last + 1000 : first - took - 1000;
  const at = { ...call, start, end: start + took };
  return to === 'end' ? [...others, at] : [at, ...others];
}
