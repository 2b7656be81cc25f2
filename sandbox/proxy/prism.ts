/** Prism's validators. This module alone imports them, and only the second opinion of the proxy loads it. */
import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js';
import { validateInput, validateSecurity } from '@stoplight/prism-http/dist/validator/index.js';
import validators from '@stoplight/prism-http/dist/validator/validators/index.js';
import { ValidationContext } from '@stoplight/prism-http/dist/validator/validators/types.js';
import type { Node, Operation } from '../contract/document.ts';

/** Prism's view of each of these operations of a bundle; undefined where Prism has none. */
export async function viewsOf(
  bundle: Node,
  operations: readonly Pick<Operation, 'method' | 'path'>[],
): Promise<readonly (PrismView | undefined)[]> {
  const parsed = await getHttpOperationsFromSpec(structuredClone(bundle));
  return operations.map((operation) => {
    const found = parsed.find(
      ({ method, path }) => method.toUpperCase() === operation.method && path === operation.path,
    );
    return found && viewOf(found);
  });
}

type ParsedOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

function viewOf(found: ParsedOperation): PrismView {
  // Without parameters in the path Prism would match it against its template for nothing.
  const { path, ...request } = found.request ?? {};
  const resource = (path?.length ? found : { ...found, request }) as ParsedOperation;
  const { __bundled__: bundled } = resource as { readonly __bundled__?: unknown };
  const replies = new Map(resource.responses.map((reply) => [Number(reply.code), reply]));
  return {
    request: (element: Element) => complaints(validateInput({ resource, element } as never)),
    credentials: (element: Element) => complaints(validateSecurity({ resource, element } as never)),
    headers: (status, values) =>
      complaints(
        validators.validateHeaders(
          values,
          (replies.get(status)?.headers ?? []) as never,
          ValidationContext.Output,
          bundled,
        ),
      ),
    body: (status, value, type) => {
      const { contents = [] } = replies.get(status) ?? {};
      return complaints(validators.validateBody(value, contents, ValidationContext.Output, type, undefined, bundled));
    },
  };
}

/** What Prism has to say; nothing where all is well. */
function complaints(outcome: unknown): readonly Diagnostic[] {
  const { _tag, left = [] } = outcome as { readonly _tag: string; readonly left?: readonly Diagnostic[] };
  return _tag === 'Left' ? left : [];
}

/** What Prism says about one place of a message. */
export interface Diagnostic {
  readonly path?: readonly (string | number)[];
  readonly code?: string | number;
  readonly message: string;
}

/** A request as Prism takes it. */
export interface Element {
  readonly method: string;
  readonly url: { readonly path: string; readonly query: Readonly<Record<string, string | string[]>> };
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What Prism has to say about an operation's messages; nothing where all is well. */
export interface PrismView {
  request(element: Element): readonly Diagnostic[];
  credentials(element: Element): readonly Diagnostic[];
  headers(status: number, values: Readonly<Record<string, string>>): readonly Diagnostic[];
  body(status: number, value: unknown, type: string | undefined): readonly Diagnostic[];
}
