/** Tests that every reply of a stopping server closes its connection, so that callers reconnect elsewhere (OP-82). */
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { bareServer } from '../harness/bare-server.ts';
import { converse } from '../harness/socket.ts';

const call = (path: string) => [`GET ${path} HTTP/1.1`, 'Host: localhost', '', ''];

/** Starts a server that answers most calls immediately. The test answers calls to `/later`. */
async function server() {
  const later: ServerResponse[] = [];
  const bare = await bareServer(
    async ({ url }, response) => {
      if (url === '/stream') response.write('first');
      if (url === '/stream' || url === '/later') later.push(response);
      else response.end('done');
    },
    { internal: (path) => path === '/internal' },
  );
  return { ...bare, later };
}

it('OP-82: a call in progress, and a later one, are answered with `Connection: close`', async () => {
  const { origin, later, stopKeepAlive } = await server();
  const [underWay, silent] = [converse(origin), converse(origin)];
  underWay.send(...call('/later'));
  await expect.poll(() => later.length).toBe(1);
  stopKeepAlive();
  later[0]?.end('done');
  silent.send(...call('/'));
  for (const { ended } of [underWay, silent])
    expect(await ended).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n(?:.*\r\n)*\r\ndone$/);
});

it('OP-82: an idle connection is closed', async () => {
  const { origin, stopKeepAlive } = await server();
  const talk = converse(origin);
  talk.send(...call('/'));
  expect(await talk.waitFor(/done/)).toContain('Connection: keep-alive');
  stopKeepAlive();
  expect(await talk.ended).toMatch(/done$/);
});

it('OP-82: a reply that has begun is completed, then its connection is closed', async () => {
  const { origin, later, stopKeepAlive } = await server();
  const talk = converse(origin);
  talk.send(...call('/stream'));
  await talk.waitFor(/first/);
  stopKeepAlive();
  later[0]?.end('last');
  expect(await talk.ended).toMatch(/first[\s\S]*last/);
});

it('OP-82: a connection of the sandbox to itself stays open, so that calls in progress can complete', async () => {
  const { origin, stopKeepAlive } = await server();
  const talk = converse(origin);
  talk.send(...call('/internal'));
  await talk.waitFor(/done/);
  stopKeepAlive();
  talk.send(...call('/internal'));
  expect((await talk.ended).match(/^Connection: .*$/gm)).toEqual(['Connection: keep-alive', 'Connection: close']);
});
