/** A visitor with the simplest of browsers: it fetches pages, reads their forms and sends them. */
import { type Clients, dataOf as ok } from '../../sandbox/testing/clients.ts';

export interface Seen {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A fresh JWT of a customer, as verify-otp gives it. */
export async function jwtFor({ auth, control }: Clients, uid: string): Promise<string> {
  const { reference_id } = ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } }));
  const { items } = ok(await control.GET('/messages', { params: { query: { uid } } }));
  const otp = items.find(({ kind }) => kind === 'otp')?.otp ?? '';
  return ok(await auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: uid, otp, reference_id } })).token;
}

/** Where a customer with a fresh token enters the portal. */
export async function entryFor(sandbox: Clients, uid: string): Promise<string> {
  return `${sandbox.urls.portal}/signin?${new URLSearchParams({ token: await jwtFor(sandbox, uid), uid })}`;
}

/** The page at an address; where it sends its visitor on, that reply as it came. */
export async function look(url: string, init: RequestInit = {}): Promise<Seen> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  return { url, status: response.status, headers: response.headers, text: await response.text() };
}

/** The address that a page or a reply leads to. */
export function onward({ url, headers }: Seen): string {
  return new URL(headers.get('location') ?? '', url).href;
}

/** Lets a customer into the portal and answers the address of the session, ending in a slash. */
export async function enter(sandbox: Clients, uid: string): Promise<string> {
  return new URL('.', onward(await look(await entryFor(sandbox, uid)))).href;
}

/** Sends a form. */
export function send(url: string, fields: Record<string, string> = {}): Promise<Seen> {
  return look(url, { method: 'POST', body: new URLSearchParams(fields) });
}

/** The values that the hidden fields of a page's forms have. */
export function hidden({ text }: Seen): Record<string, string> {
  const fields = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}

/** The words of a page's contents, without markup. */
export function words({ text }: Seen): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '';
  const plain = main.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return plain.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim();
}

/** Goes from a reward to its checkout, and answers the fields that order it. */
export async function orderFields(session: string, sku: string, quantity = 1): Promise<Record<string, string>> {
  const { form_key = '' } = hidden(await look(`${session}rewards/${sku}`));
  const checkout = `${session}checkout?${new URLSearchParams({ sku, quantity: String(quantity), form_key })}`;
  return hidden(await look(checkout));
}
