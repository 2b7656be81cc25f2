/** Tests that idle connections stay open longer than the `Keep-Alive` header announces, so that no call arrives during the close. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { testSandbox } from '../harness/sandbox.ts';

it('OP-82: a call 8 s after the previous one is answered on the same connection, although the header says 5 s', async () => {
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
