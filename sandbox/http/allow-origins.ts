import type { Step } from './call-state.ts';

/**
 * Lets scripts of pages from these origins read replies (CORS), and answers their preflights. Credentials are those of the call:
 * no cookie is sent or set, and such a page needs the admin token like another machine (OP-270).
 */
export function allowOrigins(origins: readonly string[]): Step {
  return (ctx, next) => {
    ctx.vary('Origin');
    const origin = ctx.get('Origin');
    if (!origins.includes(origin)) return next();
    ctx.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': '*' });
    const method = ctx.get('Access-Control-Request-Method');
    if (ctx.method !== 'OPTIONS' || method === '') return next();
    ctx.status = 204;
    ctx.set({
      'Access-Control-Allow-Methods': method,
      'Access-Control-Allow-Headers': ctx.get('Access-Control-Request-Headers'),
      // Asked for by browsers that keep public pages from addresses of the reader's own network.
      'Access-Control-Allow-Private-Network': 'true',
    });
  };
}
