import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { Parameter } from './document.ts';
import type { Patience } from './types.ts';

/** Whether a header that must be single came more than once. Node keeps the first and drops the rest silently. */
export function isRepeated({ rawHeaders }: IncomingMessage, header: string): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === header.length && name.toLowerCase() === header) times += 1;
  }
  return times > 1;
}

/** Aborts when the caller disconnects. It is created on first use: few handlers wait. */
export function leaving({ res }: Context): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => {
    if (controller === undefined) {
      const made = new AbortController();
      controller = made;
      if (res.destroyed) made.abort();
      else res.once('close', () => made.abort());
    }
    return controller.signal;
  };
}

/** The patience of a call's caller; the call releases its slot while it waits. */
export function patienceOf({ res }: Context, gone: () => AbortSignal): (seconds: number) => Patience {
  const aside: Patience['aside'] = (waiting) => slotOf(res)?.aside(waiting) ?? waiting;
  return (seconds) => ({ seconds, gone: gone(), aside });
}

/** Where a call carries its parameters. */
export interface Carrier {
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  readonly path: Readonly<Record<string, string>>;
}

/** Reads a parameter from a call, as it was sent; undefined when absent. */
export function readerOf({ in: place, name }: Parameter): (call: Carrier) => unknown {
  const header = name.toLowerCase();
  switch (place) {
    case 'path':
      return ({ path }) => path[name];
    case 'header':
      return ({ headers }) => headers[header];
    case 'query':
      return ({ query }) => {
        const values = query.getAll(name);
        return values.length > 1 ? values : values[0];
      };
  }
}

/** The value of a parameter: a whole number where the contract asks for one, else the text. */
export function parameterValue({ integer }: Pick<Parameter, 'integer'>, sent: unknown): unknown {
  const isWhole = integer && typeof sent === 'string' && /^-?(0|[1-9][0-9]{0,14})$/.test(sent);
  return isWhole ? Number.parseInt(sent, 10) : sent;
}

/** Whether a caller prefers a page to JSON: browsers do, programs that accept anything do not. */
export function prefersPage(ctx: Context): boolean {
  return ctx.accepts('json', 'html') === 'html';
}

/** What counts a call among those in service. */
export interface Slot {
  /** Releases the slot while the call only waits, and takes it again afterwards. */
  aside<T>(waiting: Promise<T>): Promise<T>;
}

const slotKey = Symbol('slot');

type Counted = ServerResponse & { [slotKey]?: Slot };

/** Sets the slot of a call when it is admitted. */
export function setSlot(response: Counted, slot: Slot): void {
  response[slotKey] = slot;
}

/** The slot of the call that this is the reply to; undefined if calls are not counted. */
export function slotOf(response: Counted): Slot | undefined {
  return response[slotKey];
}
