import type { Middleware } from 'openapi-fetch';

/** How an operation takes its credential in `Authorization`, as its contract's security scheme says. */
export type AuthorizationStyle = 'bare' | 'bearer' | 'basic' | 'none';

/** A token, or a function that provides one for each call. */
export type TokenSource = string | (() => string | Promise<string>);

/** Credentials of a client. `token` serves bare and bearer operations, `basic` serves Basic ones. */
export interface Credentials {
  readonly token?: TokenSource;
  readonly basic?: { readonly username: string; readonly password: string };
}

/**
 * Middleware that sends the credential in the form that each operation documents. `styles` maps `METHOD /path` to the
 * form. A call that brings an `Authorization` header of its own keeps it.
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
 * A token source that signs in on the first call, and again shortly before the token expires. Concurrent calls share one
 * sign-in; after a failed sign-in, the next call tries again.
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
