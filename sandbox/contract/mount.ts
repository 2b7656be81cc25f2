import { createRequire } from 'node:module';
import type { Router as KoaRouter } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { type Bound, type CallOrigin, originOf, type ServedCall, unseen } from './api.ts';
import type { Envelope, Rendered } from './envelopes.ts';
import type { RequestFailure } from './failure-tables.ts';
import { pathHint } from './nearest.ts';

/** By `require`: the form for `import` loads a second HTTP client (`node-http.ts`). */
const { Router } = createRequire(import.meta.url)('@koa/router') as typeof import('@koa/router');

/** What is served under one address: the operations of one or more APIs that share an envelope for unknown paths. */
export interface Mount {
  /** The path that the contracts' paths are appended to, such as `/rewards`. */
  readonly prefix: string;
  readonly operations: readonly Bound[];
  readonly envelope: Pick<Envelope<RequestFailure>, 'render' | 'headers'>;
  /** Refuses a caller whatever it asks for, also for what is not there (OP-31). */
  readonly admit?: (from: CallOrigin) => Rendered | undefined;
}

/** A call that was answered. `operation` is undefined for a path or method outside the contracts. */
export type Answered = Omit<ServedCall, 'operation'> & Partial<ServedCall>;

/** Observes each answered call; the response is sent once it has resolved. */
export type OnServed = (ctx: Context, trace: string, served: Answered) => Promise<void>;

/** The mount that a path is under. */
export function mountOf(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.find(({ prefix }) => (prefix === '' ? path === '/' : path === prefix || path.startsWith(`${prefix}/`)));
}

/**
 * Routes the operations of a mount. Anything else under its prefix answers 404, or 405 with `Allow` where the path
 * exists with another method. HEAD is served where GET is (RFC 9110). A 404 names a path of any of the mounts that is near.
 */
export function mountRouter(
  mount: Mount,
  mounts: readonly Mount[],
  traceOf: (ctx: Context) => string,
  onServed: OnServed,
): Middleware {
  const router = new Router({ prefix: mount.prefix, sensitive: true, strict: true });
  const serve = async (ctx: Context, bound: Bound, params: Readonly<Record<string, string>>) => {
    const trace = traceOf(ctx);
    const barred = mount.admit?.(originOf(ctx.req));
    const refused = barred && { ...refuse(ctx, mount, barred), operation: bound.operation };
    await onServed(ctx, trace, refused ?? (await bound.serve(ctx, params, trace)));
  };
  for (const bound of mount.operations) {
    const { method, path } = bound.operation;
    const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(route, [method.toLowerCase()], (ctx) => serve(ctx as never, bound, ctx.params));
  }
  const routes = router.routes();
  return async (ctx, next) => {
    const { path } = ctx;
    if (mountOf([mount], path) === undefined) return next();
    // What is served at the mount's own address is served there with and without a slash.
    if (path === mount.prefix) ctx.newRouterPath = `${mount.prefix}/`;
    await routes(ctx as never, async () => {
      const context = ctx as Context;
      const refusal = mount.admit?.(originOf(ctx.req)) ?? notThere(context, mount, mounts, router);
      await onServed(context, traceOf(context), refuse(context, mount, refusal));
    });
  };
}

/** What is answered where no operation is: 405 with the methods that the path has, else 404. */
function notThere(ctx: Context, { envelope }: Mount, mounts: readonly Mount[], router: KoaRouter): Rendered {
  const { path } = router.match(ctx.newRouterPath ?? ctx.path, ctx.method);
  const allowed = new Set(path.flatMap((layer) => layer.methods));
  const isKnown = allowed.size > 0;
  const { headers, ...rendered } = envelope.render({ kind: isKnown ? 'method_not_allowed' : 'not_found' });
  const more = isKnown ? { Allow: [...allowed].sort().join(', ') } : pathHint(ctx.path, mounts);
  return { ...rendered, headers: { ...headers, ...more } };
}

/** Answers instead of an operation. */
function refuse(ctx: Context, { envelope }: Mount, { status, body, headers }: Rendered): Omit<ServedCall, 'operation'> {
  ctx.status = status;
  ctx.set({ ...envelope.headers?.(), ...headers });
  ctx.body = body;
  return { status, request: null, reply: body, replyBytes: 0, notices: [], verdict: unseen };
}
