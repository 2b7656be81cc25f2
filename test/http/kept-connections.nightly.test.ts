/** How long a connection without a call is kept: longer than its caller is told, so that no call meets its end. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';

it('OP-82: a call that comes 8 s after the one before is answered on the same connection, though 5 s were told', async () => {
  const { urls } = await testSandbox();
  const { hostname, port, pathname } = new URL(urls.sandbox);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const ask = async () => {
    socket.write(`GET ${pathname}/health HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [string];
    return head;
  };
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nKeep-Alive: timeout=5\r\n/);
  await wait(8000);
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
}, 30_000);
