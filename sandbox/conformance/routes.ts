import type { CheckedOperation } from './contracts.ts';

/** What an address is to the contracts of a server. */
type Routed =
  | { readonly kind: 'found'; readonly operation: CheckedOperation }
  /** The path is there, with other methods; `operation` is one of them. */
  | { readonly kind: 'other_method'; readonly operation: CheckedOperation; readonly methods: readonly string[] }
  | { readonly kind: 'unknown' };

/** Finds operations by method and path. HEAD is an operation where GET is (RFC 9110). */
export class Routes {
  readonly #routes: readonly { readonly pattern: RegExp; readonly operation: CheckedOperation }[];
  /** Operations whose path has no parameter, by method and path. */
  readonly #literal: ReadonlyMap<string, CheckedOperation>;

  constructor(operations: readonly CheckedOperation[]) {
    const routes = operations.map((operation) => ({ pattern: pattern(operation.path), operation }));
    // A literal segment goes before a parameter: `/deliveries/replay` is not the delivery named `replay`.
    this.#routes = routes.toSorted((one, other) => parameters(one.operation) - parameters(other.operation));
    const literal = operations.filter(({ path }) => !path.includes('{')).toReversed();
    this.#literal = new Map(literal.map((operation) => [`${operation.method} ${operation.path}`, operation]));
  }

  find(method: string, path: string): Routed {
    const [place = ''] = path.split('?', 1);
    const wanted = method === 'HEAD' ? 'GET' : method;
    const literal = this.#literal.get(`${wanted} ${place}`);
    if (literal !== undefined) return { kind: 'found', operation: literal };
    const matching = this.#routes.filter(({ pattern }) => pattern.test(place)).map(({ operation }) => operation);
    const operation = matching.find((candidate) => candidate.method === wanted);
    if (operation !== undefined) return { kind: 'found', operation };
    const [other] = matching;
    if (other === undefined) return { kind: 'unknown' };
    return { kind: 'other_method', operation: other, methods: matching.map((candidate) => candidate.method) };
  }
}

function pattern(path: string): RegExp {
  const segments = path
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll(/[^\w/-]/g, '\\$&')));
  return new RegExp(`^${segments.join('')}$`);
}

function parameters({ path }: CheckedOperation): number {
  return path.split('{').length;
}
