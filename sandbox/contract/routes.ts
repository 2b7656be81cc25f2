/** What an address is to the operations of an API. */
type Routed<Op> =
  | { readonly kind: 'found'; readonly operation: Op; readonly values: PathValues }
  /** The path is there, with other methods; `operation` is one of them. */
  | { readonly kind: 'other_method'; readonly operation: Op; readonly methods: readonly string[] }
  | { readonly kind: 'unknown' };

/** The values of the parameters in a path. */
export type PathValues = Readonly<Record<string, string>>;

interface Address {
  readonly method: string;
  readonly path: string;
}

/** Finds operations by method and path. HEAD is an operation where GET is (RFC 9110). */
export class Routes<Op extends Address> {
  readonly #routes: readonly { readonly pattern: RegExp; readonly operation: Op }[];
  /** Operations whose path has no parameter, by method and path. */
  readonly #literal: ReadonlyMap<string, Op>;

  constructor(operations: readonly Op[]) {
    const routes = operations.map((operation) => ({ pattern: pattern(operation.path), operation }));
    // A literal segment goes before a parameter: `/deliveries/replay` is not the delivery named `replay`.
    this.#routes = routes.toSorted((one, other) => parameters(one.operation) - parameters(other.operation));
    const literal = operations.filter(({ path }) => !path.includes('{')).toReversed();
    this.#literal = new Map(literal.map((operation) => [`${operation.method} ${operation.path}`, operation]));
  }

  /** @param path without the prefix of the API and without query */
  find(method: string, path: string): Routed<Op> {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const literal = this.#literal.get(`${wanted} ${path}`);
    if (literal !== undefined) return { kind: 'found', operation: literal, values: {} };
    const matching = this.#routes.filter(({ pattern }) => pattern.test(path));
    const found = matching.find(({ operation }) => operation.method === wanted);
    if (found !== undefined) {
      const { groups = {} } = found.pattern.exec(path) ?? {};
      const values = Object.entries(groups).map(([name, value]) => [name, decoded(value)]);
      return { kind: 'found', operation: found.operation, values: Object.fromEntries(values) };
    }
    const [other] = matching;
    if (other === undefined) return { kind: 'unknown' };
    return {
      kind: 'other_method',
      operation: other.operation,
      methods: matching.map(({ operation }) => operation.method),
    };
  }
}

function pattern(path: string): RegExp {
  const segments = path
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? `(?<${part.slice(1, -1)}>[^/]+)` : part.replaceAll(/[^\w/-]/g, '\\$&')));
  return new RegExp(`^${segments.join('')}$`);
}

function parameters({ path }: Address): number {
  return path.split('{').length;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Whether a path is below the prefix of an API. The empty prefix has the root alone. */
export function isUnder(prefix: string, path: string): boolean {
  return prefix === '' ? path === '/' : path === prefix || path.startsWith(`${prefix}/`);
}
