/* Written by `npm run generate` from openapi/. Do not edit. */
import type { Middleware } from 'openapi-fetch';

/** The form in which an operation expects its credential in the `Authorization` header. The contract's security scheme defines it. */
export type AuthorizationStyle = 'bare' | 'bearer' | 'basic' | 'none';

/** A token, or a function that provides one for each call. */
export type TokenSource = string | (() => string | Promise<string>);

/** Credentials of a client: `token` for bare and bearer operations, `basic` for Basic ones. */
export interface Credentials {
  readonly token?: TokenSource;
  readonly basic?: { readonly username: string; readonly password: string };
}

/**
 * Returns middleware that sends the credential in the form that each operation documents. `styles` maps `METHOD /path`
 * to that form. A request that already has an `Authorization` header is left unchanged.
 */
export function authorize(styles: Readonly<Record<string, AuthorizationStyle>>, credentials: Credentials): Middleware {
  return {
    async onRequest({ request, schemaPath }) {
      if (request.headers.has('authorization')) return undefined;
      const style = styles[`${request.method} ${schemaPath}`] ?? 'none';
      const value = await authorization(style, credentials);
      if (value !== undefined) request.headers.set('authorization', value);
      return request;
    },
  };
}

async function authorization(style: AuthorizationStyle, credentials: Credentials): Promise<string | undefined> {
  if (style === 'none') return undefined;
  if (style === 'basic') {
    if (credentials.basic === undefined) return undefined;
    const { username, password } = credentials.basic;
    const bytes = new TextEncoder().encode(`${username}:${password}`);
    return `Basic ${btoa(String.fromCharCode(...bytes))}`;
  }
  if (credentials.token === undefined) return undefined;
  const token = typeof credentials.token === 'string' ? credentials.token : await credentials.token();
  return style === 'bearer' ? `Bearer ${token}` : token;
}

/**
 * Returns a token source that signs in on the first call, and again shortly before the token expires. Concurrent calls
 * share one sign-in. After a failed sign-in, the next call tries again.
 *
 * @param signIn requests a token; `expires_in` is in seconds
 * @param now the current time in milliseconds; pass the sandbox clock's if the token expires in sandbox time
 */
export function renewedToken(
  signIn: () => Promise<{ readonly token: string; readonly expires_in: number }>,
  now: () => number = Date.now,
): () => Promise<string> {
  const earlySeconds = 30;
  let cached: { readonly token: Promise<string>; goodUntil: number } | undefined;
  return () => {
    if (cached !== undefined && now() < cached.goodUntil) return cached.token;
    const requestedAt = now();
    const pending = signIn();
    const fresh = { token: pending.then(({ token }) => token), goodUntil: Number.POSITIVE_INFINITY };
    cached = fresh;
    pending.then(
      ({ expires_in }) => {
        fresh.goodUntil = requestedAt + Math.max(0, expires_in - earlySeconds) * 1000;
      },
      () => {
        if (cached === fresh) cached = undefined;
      },
    );
    return fresh.token;
  };
}
