import { createRequire } from 'node:module';

/** Loaded with `require`, because an `import` would also load a second HTTP client (see `node-http.ts`). */
const { Router } = createRequire(import.meta.url)('@koa/router') as typeof import('@koa/router');

/** The result of looking up a method and a path among the operations of an API. */
type Routed<Op> =
  | { readonly kind: 'found'; readonly operation: Op; readonly values: PathValues }
  /** The path exists, but only with other methods. `operation` is one of the operations at that path. */
  | { readonly kind: 'other_method'; readonly operation: Op; readonly methods: readonly string[] }
  | { readonly kind: 'unknown' };

/** Values of path parameters, by name. */
export type PathValues = Readonly<Record<string, string>>;

interface Address {
  readonly method: string;
  readonly path: string;
}

/** Finds operations by method and path. A GET operation also serves HEAD (RFC 9110). */
export class Routes<Op extends Address> {
  readonly #router;
  readonly #operations = new Map<unknown, Op>();

  /** @param prefix the path that precedes the path of every operation */
  constructor(operations: readonly Op[], prefix = '') {
    this.#router = new Router({ prefix, sensitive: true, strict: true });
    // Literal segments take precedence over parameters: `/deliveries/replay` is not the delivery named `replay`.
    for (const operation of operations.toSorted((one, other) => parameters(one) - parameters(other))) {
      const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
      const layer = this.#router.register(path, [operation.method], () => {});
      this.#operations.set(layer, operation);
    }
  }

  /** @param path the path with the prefix, without the query */
  find(method: string, path: string): Routed<Op> {
    const matching = this.#router.match(path, method);
    // The router ignores the case of methods, but they are case-sensitive (RFC 9110).
    const layer = matching.pathAndMethod.find((each) => each.methods.includes(method));
    const operation = this.#operations.get(layer);
    if (layer !== undefined && operation !== undefined) {
      return { kind: 'found', operation, values: layer.params(path, layer.captures(path)) };
    }
    const others = matching.path.flatMap((each) => this.#operations.get(each) ?? []);
    const [other] = others;
    if (other === undefined) return { kind: 'unknown' };
    return { kind: 'other_method', operation: other, methods: others.map((each) => each.method) };
  }
}

function parameters({ path }: Address): number {
  return path.split('{').length;
}

/** Returns whether a path belongs to the prefix of an API. The empty prefix matches only the root path. */
export function isUnder(prefix: string, path: string): boolean {
  return prefix === '' ? path === '/' : path === prefix || path.startsWith(`${prefix}/`);
}
