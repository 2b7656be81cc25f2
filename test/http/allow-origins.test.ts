/** Tests calls from a published copy of the documentation, which is a foreign site to the sandbox (OP-270). */
import { expect, it } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';

const origin = 'https://docs.example';
const fromPage = { Origin: origin, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' };
const asked = {
  ...fromPage,
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization,content-type',
};
const startAllowing = () => testSandbox({ allowedOrigins: [`${origin}/`] });
const corsOf = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

it('OP-270: a preflight of an allowed origin gets what it asks for, and no cookies', async () => {
  const sandbox = await startAllowing();
  const reply = await fetch(`${sandbox.origin}/sandbox/v1/clock/advance`, { method: 'OPTIONS', headers: asked });
  expect(reply.status).toBe(204);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'authorization,content-type',
    vary: 'Origin',
  });
  expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
});

it('OP-270: its pages read replies and their headers, and need the admin token of the control API', async () => {
  const sandbox = await startAllowing();
  const workspace = `${sandbox.origin}/sandbox/v1/workspace`;
  const locked = await fetch(workspace, { headers: fromPage });
  expect([locked.status, locked.headers.get('access-control-allow-origin')]).toEqual([401, origin]);
  const Authorization = `Bearer ${sandbox.workspace.admin_token}`;
  const reply = await fetch(workspace, { headers: { ...fromPage, Authorization } });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('access-control-expose-headers')).toBe('*');
  expect((await fetch(workspace)).status).toBe(200);
});

it.each([
  ['another origin', 'https://elsewhere.example'],
  ['another port', `${origin}:8443`],
  ['plain http', 'http://docs.example'],
  ['no origin', 'null'],
])('OP-270: %s gets neither a reply nor a preflight', async (_, Origin) => {
  const sandbox = await startAllowing();
  const workspace = `${sandbox.origin}/sandbox/v1/workspace`;
  const reply = await fetch(workspace, { headers: { ...fromPage, Origin } });
  const preflight = await fetch(workspace, { method: 'OPTIONS', headers: { ...asked, Origin } });
  expect([reply.status, preflight.status]).toEqual([400, 400]);
  expect([...corsOf(reply.headers), ...corsOf(preflight.headers)]).toEqual([]);
});

it('OP-77: without the flag, no other site may call', async () => {
  const sandbox = await testSandbox();
  const reply = await fetch(`${sandbox.origin}/sandbox/v1/workspace`, { headers: fromPage });
  expect([reply.status, corsOf(reply.headers)]).toEqual([400, []]);
});

it.each(['docs.example', 'https://docs.example/rewards', 'file:///docs', '*'])(
  'OP-270: %s is no origin, and the start says so',
  async (text) => {
    await expect(testSandbox({ allowedOrigins: [text] })).rejects.toThrow(
      `${text} is not an origin such as https://docs.example.`,
    );
  },
);
