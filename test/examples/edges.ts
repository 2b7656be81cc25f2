/** Tests an example server with unusual requests that its certification does not send. */
import { request } from 'node:http';
import { expect } from 'vitest';
import { mandatory, wrapped } from '../harness/envelopes.ts';
import { raw } from '../harness/sandbox.ts';
import { sent } from '../harness/socket.ts';
import { balance, code, credit, fresh, save, service, tell, verify } from './calls.ts';
import type { ExampleServer } from './servers.ts';

/** Sends a deduction with a raw body and custom headers. */
function send(server: ExampleServer, body: string, headers: Record<string, string> = {}) {
  return raw(`${server.url}/saveRedeemDetails`, {
    method: 'POST',
    headers: { authorization: service(server), 'content-type': 'application/json', ...headers },
    body,
  });
}

interface Rule {
  readonly title: string;
  readonly holds: (server: ExampleServer) => Promise<void>;
}

export const edges: readonly Rule[] = [
  {
    title: 'OP-122: totals whose product is 0 in 64 bits do not add up, and deduct nothing',
    async holds(server) {
      const before = await balance(server);
      const factors = { tdsSingleItem: '4294967296', quantity: '4294967296' };
      expect(await save(server, fresh('RDM'), 500, factors)).toEqual(wrapped(422, 'Points do not add up.'));
      expect(await balance(server)).toBe(before);
    },
  },
  {
    title: 'OP-39: a body of more than 64 KiB is 413 without a connection reset, and one of 64 KiB is read',
    async holds(server) {
      const refused = wrapped(413, 'Request body is larger than 64 KiB');
      const padded = (size: number) => {
        const text = JSON.stringify({ pad: '' });
        return text.replace('""', `"${'x'.repeat(size - text.length)}"`);
      };
      expect(await send(server, padded(64 * 1024))).toMatchObject(mandatory);
      for (const size of [64 * 1024 + 1, 70 * 1024, 1024 * 1024]) {
        expect(await send(server, padded(size))).toMatchObject(refused);
      }
    },
  },
  {
    title: 'invalid JSON is 400, however deep',
    async holds(server) {
      const malformed = wrapped(400, 'Invalid request: the body is not well-formed JSON');
      for (const body of ['{', '{"a":1,}', "{'a':1}", '{} x', '['.repeat(60_000), '{"a":'.repeat(10_000)]) {
        expect([body.slice(0, 9), await send(server, body)]).toMatchObject([body.slice(0, 9), malformed]);
      }
    },
  },
  {
    title: 'OP-03: of two Authorization headers neither is accepted',
    async holds(server) {
      const head = ['POST /getProfileAndPoints?uid=CUST0001 HTTP/1.1', 'Host: localhost', 'Connection: close'];
      const credentials = [`Authorization: ${service(server)}`, 'Authorization: Bearer x'];
      expect(await sent(server.url, [...head, ...credentials, '', ''])).toMatch(/^HTTP\/1\.1 4\d\d /);
    },
  },
  {
    title: 'half a character in a text, which JSON can contain, is refused or accepted, and never fails the server',
    async holds(server) {
      const half = String.fromCharCode(0xd800);
      const [{ reference_id }, id] = [await code(server), fresh('RDM')];
      expect((await verify(server, 'CUST0001', half, reference_id)).status).toBeLessThan(500);
      expect((await verify(server, half, half, half)).status).toBeLessThan(500);
      expect((await save(server, id, 500, { productName: half })).status).toBeLessThan(500);
      expect((await tell(server, id, 'Rejected')).status).toBeLessThan(500);
      expect((await credit(server, half)).status).toBeLessThan(500);
    },
  },
  {
    title: 'replies are JSON with no-store, call after call, also for a chunked body',
    async holds(server) {
      const { hostname, port } = new URL(server.url);
      const headers = { authorization: service(server), 'content-type': 'application/json' };
      const replies: unknown[] = [];
      for (const body of ['{}', undefined, '{}']) {
        const path = body === undefined ? '/getProfileAndPoints?uid=CUST0001' : '/creditPoints';
        replies.push(
          await new Promise((resolve, reject) => {
            const call = request({ hostname, port, path, method: 'POST', headers }, (response) => {
              response.resume();
              const { statusCode, headers } = response;
              const [type, cache] = [headers['content-type'], headers['cache-control']];
              response.once('end', () => resolve({ status: statusCode, type, cache }));
            });
            call.once('error', reject);
            // Node sends a body in chunks if it is written in parts without a declared length.
            for (const part of body ?? '') call.write(part);
            call.end();
          }),
        );
      }
      const as = (status: number) => ({ status, type: 'application/json', cache: 'no-store' });
      expect(replies).toEqual([as(422), as(200), as(422)]);
    },
  },
];
