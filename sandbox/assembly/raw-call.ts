import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { HeaderList } from '../activity-log/activity-entry.ts';
import { originOf } from '../contract/api.ts';
import type { Operation } from '../contract/document.ts';
import type { CallObserver } from '../runtime/observer.ts';

/** The headers of a request as they were sent. */
export function requestHeaders({ rawHeaders }: IncomingMessage): HeaderList {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) found.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return found;
}

/** The headers of a reply that is about to be sent. */
export function replyHeaders({ res }: Context): HeaderList {
  const found: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(res.getHeaders())) {
    for (const each of Array.isArray(value) ? value : [String(value)]) found.push([name, each]);
  }
  return found;
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
