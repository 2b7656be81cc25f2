/** Simulates a visitor with a minimal browser that fetches pages, reads their forms and submits them. */
import { type Clients, dataOf as ok } from '../../sandbox/testing/workspace.ts';

/** The reply to a visitor's request. */
export interface PageReply {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Returns a customer's new JWT from verify-otp. */
export async function jwtFor({ auth, control }: Clients, uid: string): Promise<string> {
  const { reference_id } = ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } }));
  const { items } = ok(await control.GET('/messages', { params: { query: { uid } } }));
  const otp = items.find(({ kind }) => kind === 'otp')?.otp ?? '';
  return ok(await auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: uid, otp, reference_id } })).token;
}

/** Returns the portal's sign-in address for a customer, with a new token. */
export async function entryFor(sandbox: Clients, uid: string): Promise<string> {
  return `${sandbox.urls.portal}/signin?${new URLSearchParams({ token: await jwtFor(sandbox, uid), uid })}`;
}

/** Fetches the page at an address. Returns redirects without following them. */
export async function look(url: string, init: RequestInit = {}): Promise<PageReply> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  return { url, status: response.status, headers: response.headers, text: await response.text() };
}

/** Returns the redirect target of a reply, or the address of the reply itself if there is none. */
export function onward({ url, headers }: PageReply): string {
  return new URL(headers.get('location') ?? '', url).href;
}

/** Signs a customer in to the portal. Returns the session's address, with a trailing slash. */
export async function enter(sandbox: Clients, uid: string): Promise<string> {
  return new URL('.', onward(await look(await entryFor(sandbox, uid)))).href;
}

/** Submits a form. */
export function send(url: string, fields: Record<string, string> = {}): Promise<PageReply> {
  return look(url, { method: 'POST', body: new URLSearchParams(fields) });
}

/** Returns the values of all hidden fields in a page's forms. */
export function hidden({ text }: PageReply): Record<string, string> {
  const fields = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}

/** Returns the text of a page's main content, without markup. */
export function words({ text }: PageReply): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '';
  const plain = main.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return plain.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim();
}

/** Opens a reward and its checkout. Returns the form fields that place the order. */
export async function orderFields(session: string, sku: string, quantity = 1): Promise<Record<string, string>> {
  const { form_key = '' } = hidden(await look(`${session}rewards/${sku}`));
  const checkout = `${session}checkout?${new URLSearchParams({ sku, quantity: String(quantity), form_key })}`;
  return hidden(await look(checkout));
}
