import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Bound, ServedCall } from './api.ts';
import type { Envelope } from './envelopes.ts';
import type { RequestFailure } from './failures.ts';

/** What is served under one address: the operations of one or more APIs that share an envelope for unknown paths. */
export interface Mount {
  /** The path that the contracts' paths are appended to, such as `/rewards`. */
  readonly prefix: string;
  readonly operations: readonly Bound[];
  readonly envelope: Pick<Envelope<RequestFailure>, 'render' | 'headers'>;
}

/**
 * What a mount reports of each call it answered. `operation` is undefined for a path or method outside the contracts.
 */
export type OnServed = (
  ctx: Context,
  trace: string,
  served: Omit<ServedCall, 'operation'> & Partial<ServedCall>,
) => void;

/** The mount that a path is under. */
export function mountOf(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
}

/**
 * Routes the operations of a mount. Anything else under its prefix answers 404, or 405 with `Allow` where the path
 * exists with another method. HEAD is served where GET is (RFC 9110).
 */
export function mountRouter(mount: Mount, traceOf: (ctx: Context) => string, onServed: OnServed): Middleware {
  const router = new Router({ prefix: mount.prefix, sensitive: true, strict: true });
  for (const bound of mount.operations) {
    const { method, path } = bound.operation;
    const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(route, [method.toLowerCase()], async (ctx) => {
      const trace = traceOf(ctx);
      onServed(ctx, trace, await bound.serve(ctx, ctx.params, trace));
    });
  }
  const routes = router.routes();
  return async (ctx, next) => {
    if (mountOf([mount], ctx.path) === undefined) return next();
    // What is served at the mount's own address is served there with and without a slash.
    if (ctx.path === mount.prefix) ctx.newRouterPath = `${mount.prefix}/`;
    await routes(ctx as never, async () => refuse(ctx as Context, mount, router, traceOf, onServed));
  };
}

function refuse(
  ctx: Context,
  mount: Mount,
  router: Router,
  traceOf: (ctx: Context) => string,
  onServed: OnServed,
): void {
  const trace = traceOf(ctx);
  const allowed = new Set(
    router.match(ctx.newRouterPath ?? ctx.path, ctx.method).path.flatMap((layer) => layer.methods),
  );
  const { status, body, headers } = mount.envelope.render({
    kind: allowed.size > 0 ? 'method_not_allowed' : 'not_found',
  });
  ctx.status = status;
  ctx.set({ ...mount.envelope.headers?.(), ...headers });
  if (allowed.size > 0) ctx.set('Allow', [...allowed].sort().join(', '));
  ctx.body = body;
  onServed(ctx, trace, { status, request: null, reply: body, replyBytes: 0, notices: [] });
}
