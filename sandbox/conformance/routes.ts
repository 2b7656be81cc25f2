import { isStated } from '../contract/basis.ts';
import type { CheckedOperation } from './contracts.ts';
import { basisOfAddress } from './flaw-basis.ts';

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

  /** An operation whose path a caller meant who called an unknown one. Only a path that the interface names has near misses. */
  meant(path: string): CheckedOperation | undefined {
    return this.#routes
      .map(({ operation }) => operation)
      .find((operation) => isNearMiss(path, operation.path) && isStated(basisOfAddress(operation)));
  }
}

/** Whether two paths differ in one letter at most, apart from upper case, slashes and `/v1`. */
function isNearMiss(path: string, other: string): boolean {
  const [one, two] = [withoutForm(path), withoutForm(other)];
  let same = 0;
  while (same < one.length && one[same] === two[same]) same += 1;
  const [left, right] = [one.slice(same), two.slice(same)];
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1) || isSwapped;
}

function withoutForm(path: string): string {
  const segments = path.toLowerCase().split('/');
  return segments.filter((segment) => segment !== '' && segment !== 'v1').join('/');
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
