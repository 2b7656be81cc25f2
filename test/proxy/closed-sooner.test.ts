/** Tests a server behind the proxy that closes a connection before its announced timeout (OP-88). */
import { describe, expect, it } from 'vitest';
import { socketServer } from '../harness/http-server.ts';
import { proxyTo } from '../harness/proxy.ts';
import { checkProblem } from './recorder.ts';

const reply = 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5\r\nContent-Length: 6\r\n\r\ntheirs';

describe.each([
  ['report', 'resets'],
  ['report', 'ends'],
  ['enforce', 'resets'],
  ['enforce', 'ends'],
] as const)('OP-88: mode %s, a server that %s a connection', (mode, how) => {
  /** Starts a server whose connections answer one call and break at the next. `methods` lists the methods of all received calls. */
  const behind = async () => {
    const methods: string[] = [];
    const url = await socketServer((socket) => {
      let calls = 0;
      socket.on('data', (chunk) => {
        methods.push(chunk.toString('latin1').split(' ', 1)[0] ?? '');
        calls += 1;
        if (calls === 1) socket.write(reply);
        else if (how === 'resets') socket.resetAndDestroy();
        else socket.end();
      });
    });
    return { methods, proxy: await proxyTo(url, { mode }) };
  };

  it('a read is retried on another connection', async () => {
    const { methods, proxy } = await behind();
    for (let call = 0; call < 3; call += 1) expect(await (await fetch(`${proxy.url}/next`)).text()).toBe('theirs');
    expect(methods).toEqual(['GET', 'GET', 'GET', 'GET', 'GET']);
  });

  it.each([
    ['POST', undefined],
    ['POST', 'hello'],
    ['DELETE', undefined],
  ])('%s with the body %s is not retried: the reply says that the outcome is unknown', async (method, body) => {
    const { methods, proxy } = await behind();
    await fetch(`${proxy.url}/next`);
    const answer = await fetch(`${proxy.url}/next`, { method, ...(body !== undefined && { body }) });
    const problem = (await answer.json()) as { detail: string };
    expect([answer.status, checkProblem(problem)]).toEqual([502, undefined]);
    expect(problem.detail).toMatch(/^http:\S+ closed a connection earlier than its Keep-Alive timeout, /);
    expect(methods).toEqual(['GET', method]);
  });
});
