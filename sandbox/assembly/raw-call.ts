import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { RawCall, RawMessage } from '../activity-log/activity-entry.ts';
import { mostBodyBytes } from '../activity-log/entry-size.ts';
import { originOf, type ServedCall } from '../contract/api.ts';
import type { Operation } from '../contract/document.ts';
import { hasBody } from '../contract/request.ts';
import type { CallObserver } from '../runtime/observer.ts';

type Served = Omit<ServedCall, 'operation'> & Partial<ServedCall>;

/** A call that was answered here, as it went over the wire. */
export function rawCallOf(ctx: Context, served: Served): RawCall {
  const { url, req } = ctx;
  const request = { headers: pairs(req.rawHeaders), body: requestBody(ctx, served) };
  const { status } = served;
  if (status === null) return { url, request, reply: undefined };
  return { url, request, reply: { status, headers: replyHeaders(ctx), body: replyBody(ctx, served) } };
}

function pairs(raw: readonly string[]): RawMessage['headers'] {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; at < raw.length; at += 2) found.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return found;
}

function requestBody(ctx: Context, { raw }: Served): RawMessage['body'] {
  if (raw === undefined) return hasBody(ctx) ? undefined : '';
  return raw.length > mostBodyBytes ? undefined : raw;
}

function replyHeaders({ res }: Context): RawMessage['headers'] {
  const found: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(res.getHeaders())) {
    for (const each of Array.isArray(value) ? value : [String(value)]) found.push([name, each]);
  }
  return found;
}

/** Undefined for a stream, which is never complete, and for a body that is too large. */
function replyBody({ body }: Context, { replyBytes }: Served): RawMessage['body'] {
  if (body === null || body === undefined) return '';
  if (Buffer.isBuffer(body)) return replyBytes > mostBodyBytes ? undefined : body;
  if (replyBytes > mostBodyBytes || typeof body !== 'string') return isPlain(body) ? JSON.stringify(body) : undefined;
  return body;
}

/** Whether a body is what a refusal says, which the application writes as JSON. */
function isPlain(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
}

/** Notifies an observer of each call to an application, after the reply. */
export class ObservedCalls {
  readonly #observer: CallObserver;
  readonly #workspace: string;
  readonly #answered = new WeakMap<IncomingMessage, { trace: string; operation: Operation | undefined }>();

  constructor(observer: CallObserver, workspace: string) {
    this.#observer = observer;
    this.#workspace = workspace;
  }

  /** Comes before everything else. */
  readonly middleware: Middleware = (ctx, next) => {
    const { req, res, method, originalUrl: url } = ctx;
    const observer = this.#observer;
    const began = observer.now();
    res.once('close', () => {
      const { trace = null, operation } = this.#answered.get(req) ?? {};
      const isStream = String(res.getHeader('content-type')).startsWith('text/event-stream');
      observer.call({
        ...{ workspace: this.#workspace, method, url, trace },
        api: operation?.api ?? null,
        operation: operation?.operationId ?? null,
        status: res.headersSent ? res.statusCode : null,
        caller: originOf(req).kind,
        seconds: isStream ? null : (observer.now() - began) / 1000,
      });
    });
    return next();
  };

  /** Records which operation answered. */
  answered({ req }: Context, trace: string, operation: Operation | undefined): void {
    this.#answered.set(req, { trace, operation });
  }
}
