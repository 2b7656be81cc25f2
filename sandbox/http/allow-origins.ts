import type { Step } from './call-state.ts';

/**
 * Returns a step that lets scripts from these origins read replies (CORS), and answers their preflight requests. Cookies are never
 * sent or set. Such a page needs the admin token, like a caller on another machine (OP-270).
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
      // Required by browsers that block requests from public pages to private networks.
      'Access-Control-Allow-Private-Network': 'true',
    });
  };
}
