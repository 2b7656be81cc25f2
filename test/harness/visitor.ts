/** A visitor with the simplest of browsers: it fetches pages, reads their forms and sends them. */
import { type Clients, dataOf as ok } from '../../sandbox/testing/workspace.ts';

/** The reply to a visitor's request. */
export interface PageReply {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A fresh JWT of a customer, from verify-otp. */
export async function jwtFor({ auth, control }: Clients, uid: string): Promise<string> {
  const { reference_id } = ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } }));
  const { items } = ok(await control.GET('/messages', { params: { query: { uid } } }));
  const otp = items.find(({ kind }) => kind === 'otp')?.otp ?? '';
  return ok(await auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: uid, otp, reference_id } })).token;
}

/** The portal's sign-in address for a customer with a new token. */
export async function entryFor(sandbox: Clients, uid: string): Promise<string> {
  return `${sandbox.urls.portal}/signin?${new URLSearchParams({ token: await jwtFor(sandbox, uid), uid })}`;
}

/** The page at an address; a redirect is returned, not followed. */
export async function look(url: string, init: RequestInit = {}): Promise<PageReply> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  return { url, status: response.status, headers: response.headers, text: await response.text() };
}

/** The address that a page or a reply leads to. */
export function onward({ url, headers }: PageReply): string {
  return new URL(headers.get('location') ?? '', url).href;
}

/** Signs a customer in to the portal and returns the address of the session, with a slash at its end. */
export async function enter(sandbox: Clients, uid: string): Promise<string> {
  return new URL('.', onward(await look(await entryFor(sandbox, uid)))).href;
}

/** Sends a form. */
export function send(url: string, fields: Record<string, string> = {}): Promise<PageReply> {
  return look(url, { method: 'POST', body: new URLSearchParams(fields) });
}

/** The values that the hidden fields of a page's forms have. */
export function hidden({ text }: PageReply): Record<string, string> {
  const fields = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}

/** The words of a page's contents, without markup. */
export function words({ text }: PageReply): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '';
  const plain = main.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return plain.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim();
}

/** Goes from a reward to its checkout, and returns the fields that order it. */
export async function orderFields(session: string, sku: string, quantity = 1): Promise<Record<string, string>> {
  const { form_key = '' } = hidden(await look(`${session}rewards/${sku}`));
  const checkout = `${session}checkout?${new URLSearchParams({ sku, quantity: String(quantity), form_key })}`;
  return hidden(await look(checkout));
}
