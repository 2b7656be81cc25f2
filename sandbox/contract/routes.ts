import { createRequire } from 'node:module';

/** By `require`: the form for `import` loads a second HTTP client (`node-http.ts`). */
const { Router } = createRequire(import.meta.url)('@koa/router') as typeof import('@koa/router');

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
  readonly #router;
  readonly #operations = new Map<unknown, Op>();

  /** @param prefix the path that the paths of the operations are appended to */
  constructor(operations: readonly Op[], prefix = '') {
    this.#router = new Router({ prefix, sensitive: true, strict: true });
    // A literal segment goes before a parameter: `/deliveries/replay` is not the delivery named `replay`.
    for (const operation of operations.toSorted((one, other) => parameters(one) - parameters(other))) {
      const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
      this.#operations.set(
        this.#router.register(path, [operation.method], () => {}),
        operation,
      );
    }
  }

  /** @param path with the prefix, and without query */
  find(method: string, path: string): Routed<Op> {
    const matching = this.#router.match(path, method);
    // The router ignores the case of methods, which matters (RFC 9110).
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

/** Whether a path is below the prefix of an API. The empty prefix has the root alone. */
export function isUnder(prefix: string, path: string): boolean {
  return prefix === '' ? path === '/' : path === prefix || path.startsWith(`${prefix}/`);
}
