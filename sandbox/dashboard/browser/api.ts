/** The client of the control API. The dashboard uses the same API as any other program. */

import createClient, { type Client } from 'openapi-fetch';
import type { components, paths as Paths } from '../../../generated/sandbox/types.ts';

export type Schemas = components['schemas'];

/** Session storage key of the admin token. The browser clears it when the tab is closed (OP-68). */
const place = 'sandbox-admin-token';

export const base = `${location.origin}/sandbox/v1`;

/** The typed client of sandbox.yaml. */
export const api = createClient({ baseUrl: base }) as Client<Paths>;

api.use({
  onRequest({ request }) {
    const token = adminToken();
    if (token !== '') request.headers.set('Authorization', `Bearer ${token}`);
    return request;
  },
});

/** Returns the admin token for calls; empty if there is none. */
export function adminToken() {
  return sessionStorage.getItem(place) ?? '';
}

/** Switches to the workspace of an admin token. An empty token selects the demo workspace. */
export function signInWith(token: string) {
  if (token === '') sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, token);
  location.reload();
}

type Reply<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** Returns the same data as `ask`, with the trace that the call left in the log. */
export async function traced<T>(call: Reply<T>): Promise<{ data: T; trace: string }> {
  const data = await ask(call);
  const { response } = await call;
  return { data, trace: response.headers.get('x-trace-id') ?? '' };
}

/** A call that was refused or that failed to reach the sandbox. */
export class CallFailure extends Error {
  readonly status: number | undefined;
  readonly trace: string | undefined;

  constructor(message: string, status?: number, trace?: string) {
    super(message);
    this.status = status;
    this.trace = trace;
  }
}

/** Returns the body of a successful reply. Otherwise throws CallFailure with the sandbox's message. */
export async function ask<T>(call: Reply<T>): Promise<T> {
  const { data, error, response } = await call.catch(() => {
    throw new CallFailure('The sandbox does not respond. Is it still running?');
  });
  if (response.ok) return data as T;
  const { message } = (error ?? {}) as { message?: string };
  const trace = response.headers.get('x-trace-id') ?? undefined;
  throw new CallFailure(message ?? `The sandbox returned ${response.status}.`, response.status, trace);
}

/** Makes a call. Returns `message`, which reports its success. */
export async function askAndReport(call: Reply<unknown>, message: string) {
  await ask(call);
  return message;
}

/** Returns the message in the body of a refusal, in the platform's or the client's envelope; `undefined` if there is none. */
export function messageOf(body: unknown): string | undefined {
  const { message, data } = (body ?? {}) as { message?: unknown; data?: unknown };
  if (typeof message === 'string') return message;
  return data === undefined ? undefined : messageOf(data);
}

/** Maximum number of pages that a screen reads of one list. Later pages are not shown. */
const mostPages = 10;

/** Returns the items of a list, read page by page from the start. */
export async function allOf<T>(
  page: (slice: { limit: number; after?: never }) => Reply<{ items: T[]; next: unknown }>,
): Promise<T[]> {
  const found: T[] = [];
  let next: unknown;
  for (let pages = 0; pages < mostPages && next !== null; pages += 1) {
    const after = next === undefined ? {} : { after: next as never };
    const read = await ask(page({ limit: 1000, ...after }));
    found.push(...read.items);
    next = read.next;
  }
  return found;
}

/** Returns the newest orders that fit in one reply, newest first, and whether there are older ones. */
export async function newestOrders() {
  const page = (query: { limit: number; after?: number }) => ask(api.GET('/orders', { params: { query } }));
  const [newest, oldest] = await Promise.all([page({ limit: 1000 }), page({ limit: 1, after: 0 })]);
  return { orders: newest.items.toReversed(), isPart: newest.items[0]?.seq !== oldest.items[0]?.seq };
}

/** Returns the value of a JSON text. A text that is not JSON is a string. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
